// SPDX-License-Identifier: BSD-3-Clause
// Suite small: few small products at once in a caller's loop, by contract<> on static views, by a plan, and by peers.
#include <omp.h>

#include <algorithm>

#include <tessera/error.hpp>

#include "sizes.hpp"
#include "small/small_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

// The rows of the sizes and orders that were asked for.
std::vector<inline_row> rows_for(const options& o) {
  const std::vector<inline_row>& all =
      o.type == product_types(scalar_type::f32) ? inline_rows_f32() : inline_rows_f64();
  const auto find = [&](bool square, index_t size) {
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const inline_row& r) { return r.square == square && r.size == size; });
    if (it == all.end())
      throw error("small: " + std::string(square ? "squares of n = " : "order p = ") + std::to_string(size) +
                  " are not compiled into this program");
    return *it;
  };
  std::vector<inline_row> rows;
  if (o.small_sizes != "none")
    for (const gemm_size& size : parse_sizes(o.small_sizes)) {
      if (!size.is_square()) throw error("small: '" + o.small_sizes + "' has sizes that are not square");
      rows.push_back(find(true, size.n));
    }
  if (o.small_orders != "none")
    for (const int p : parse_orders(o.small_orders)) rows.push_back(find(false, p));
  return rows;
}

}  // namespace

int run_small(const options& o) {
  if (!o.type.is_real()) throw error(std::string("small: type ") + name_of(o.type) + ", not f32 or f64");
  if (o.threads != 1) throw error("small: a caller's loop runs on one thread, not " + std::to_string(o.threads));
  const std::vector<inline_row> rows = rows_for(o);
  const std::vector<int> groups = parse_orders(o.small_batches);
  entries_for(1, groups);
  const std::vector<peer> peers = choose_peers(o.peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  if (s.on == target::cuda) throw error("small: a suite of the CPU, --target cuda has none");
  omp_set_num_threads(1);
  to.note(
      std::string("ns an entry by the number of entries that a call gets; a call: time of a call with one entry, ") +
      "less that of a further one");
  to.note(small_heading(groups));
  for (const inline_row& row : rows) {
    std::vector<case_results> cases = small_cases(row, groups, s);
    for (case_results& c : cases) to.predict(c);
    to.note(row.square ? "n=" + std::to_string(row.size)
                       : "middle index p=" + std::to_string(row.size) + "  " + cases.front().row);
    for (const case_results& c : cases) to.keep(c);
    for (const std::string& line : small_table(cases, groups)) to.note(line);
    to.note(small_prediction(cases));
  }
  return to.finish();
}

}  // namespace tessera::bench
