// SPDX-License-Identifier: BSD-3-Clause
// Suite tccg: the 48 contractions of the TCCG benchmark, each of two tensors in memory.
#include <iterator>

#include "run_case.hpp"
#include "suites.hpp"
#include "tccg_rows.hpp"

namespace tessera::bench {

namespace {

// Full sizes take a CPU minutes a row.
constexpr double scale_of_a_cpu = 0.25;

workload tccg_case(const tccg_row& row, double scale, const setting& s) {
  const options& o = s.with;
  const std::string einsum = einsum_of(row);
  workload work{.label = std::to_string(row.id) + " " + std::string(row.text) + (o.beta != 0 ? " +=" : ""),
                .what = contraction(einsum, {1, o.beta}, o.type.sum)};
  const auto size = [&](char letter) { return extent_of(row, letter, scale); };
  for (const int at : {0, 1, output}) {
    std::vector<index_t> extents;
    const modes& m = work.what.modes().operand[at];
    for (int d = 0; d < m.rank; ++d) extents.push_back(size(m.letter[d]));
    work.operands.emplace_back(at == output ? o.type.out : o.type.in, extents, storage_order{}, std::nullopt, 0,
                               int(work.operands.size()) + 1);
  }
  double all = 1;
  nlohmann::json extents;
  for (std::size_t i = 0; i < std::size(row.extents) && row.extents[i] > 0; ++i) {
    const char letter = char('a' + i);
    all *= double(size(letter));
    extents[std::string(1, letter)] = size(letter);
    if (!work.what.modes().out().has(letter)) work.inner *= size(letter);
  }
  work.facts = {{"row", row.id},      {"einsum", einsum}, {"group", group_of(row)},
                {"extents", extents}, {"scale", scale},   {"beta", o.beta}};
  work.place = {{group_of(row)}, group_of(row), row.id};
  work.flops = 2 * all * (is_complex_type(o.type.in) ? 4 : 1);
  for (const data& d : work.operands) work.bytes += d.bytes();
  if (o.beta != 0) work.bytes += work.out().bytes();
  return work;
}

}  // namespace

int run_tccg(const options& o) {
  const std::vector<tccg_row> rows = choose_tccg_rows(o.row);
  const std::vector<peer> peers = choose_peers(o.peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  const double scale = o.scale > 0 ? o.scale : space_of(s) == space_kind::gpu ? 1 : scale_of_a_cpu;
  for (const tccg_row& row : rows) run_case(tccg_case(row, scale, s), s, to);
  return to.finish();
}

}  // namespace tessera::bench
