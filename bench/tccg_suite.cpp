// SPDX-License-Identifier: BSD-3-Clause
// Suite tccg: the 48 contractions of the TCCG benchmark, each of two tensors in memory.
#include <algorithm>
#include <memory>

#include "measure/gpu/device.hpp"
#include "peers/separate_passes.hpp"
#include "run_case.hpp"
#include "suites.hpp"
#include "tccg_case.hpp"
#include "tccg_rows.hpp"
#include "tccg_table.hpp"
#include "tccg_tiles.hpp"

namespace tessera::bench {

namespace {

// Full sizes take a CPU minutes a row.
constexpr double scale_of_a_cpu = 0.25;

// A GPU's roof for the types, measured and noted; of multiply-adds where it has no such instructions.
void add_roof(setting& s, report& to) {
  if (space_of(s) == space_kind::gpu && s.with.operations == "min_plus") {
    s.measure_roof = [type = s.with.type.in] { return device::min_plus_peak(type); };
    s.roof = s.measure_roof();
    to.add(limit{"add and min", "cuda", name_of(s.with.type.in), 1, "Gop/s", summarise({s.roof * 1e-9})});
    return;
  }
  const roof_of_types roof = roof_for(s.with.type, s.with.precision);
  if (space_of(s) != space_kind::gpu || !roof.unit) return;
  s.measure_roof = [roof] { return device::matrix_peak(*roof.unit) / roof.products; };
  s.roof = s.measure_roof();
  to.add(limit{"matrix instructions, best", "cuda", name_of(*roof.unit), 1, "GFLOP/s",
               summarise({s.roof * roof.products * 1e-9})});
}

// The peers that can do the case, and what they take.
std::vector<way> ways_of_peers(const workload& work, const setting& s) {
  std::vector<way> ways;
  if (work.is_min_plus) return ways;  // none has it
  const contraction_call call = contraction_call_for(work, s);
  for (const peer& p : s.peers) {
    if (!p.found || p.space != call.space || !p.prepare_contraction) continue;
    if (is_integer(call.type) && p.name != "loops") continue;  // libraries have no such contractions
    const bool with_function = work.leaky_slope && !p.only_multiplies;
    contraction_pass made =
        with_function ? by_separate_passes(p, call, *work.leaky_slope) : p.prepare_contraction(call);
    if (!made.run) continue;
    way w{p.name, std::move(made.run), std::move(made.describe), std::move(made.brief)};
    if (p.only_multiplies) {
      w.describe += ", a product of matrices of the same sizes, no contraction";
      const auto product = std::make_shared<workload>(product_of_same_sizes(work, call));
      w.compare = [product] { return check(*product); };
    }
    ways.push_back(std::move(w));
  }
  return ways;
}

std::vector<std::string> names_of(const std::vector<peer>& peers, space_kind space) {
  std::vector<std::string> names;
  for (const peer& p : peers)
    if (p.found && p.space == space) names.push_back(p.name);
  return names;
}

}  // namespace

int run_tccg(const options& o) {
  const std::vector<tccg_row> rows = choose_tccg_rows(o.row);
  check_vary(o);
  const std::vector<peer> peers = o.vary.empty() ? choose_peers(o.peers, contraction_peers) : std::vector<peer>();
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  add_roof(s, to);
  const double scale = o.scale > 0 ? o.scale : space_of(s) == space_kind::gpu ? 1 : scale_of_a_cpu;
  tccg_table table(o.vary.empty() ? names_of(peers, space_of(s)) : names_of_tiles(o.vary));
  for (const tccg_row& row : rows) {
    workload work = tccg_case(row, scale, o);
    const std::vector<operand> operands = place(work, s);
    const plan planned = tccg_plan(work, operands, s);
    std::vector<way> ways{
        {"tessera", [&] { planned.run_operands(operands.data(), int(operands.size()), {}); }, planned.describe()}};
    std::vector<way> others = o.vary.empty() ? ways_of_peers(work, s)
                                             : ways_of_tiles(work, operands, s, [&](const auto& why) { to.note(why); });
    for (way& w : others) ways.push_back(std::move(w));
    case_results results = measured(work, s, ways, planned);
    to.predict(results);
    to.add(results, false);
    if (&row == &rows.front()) to.note(table.heading());
    to.note(table.add(results));
  }
  for (const std::string& line : table.means()) to.note(line);
  to.attach("groups", table.means_as_json());
  return to.finish();
}

}  // namespace tessera::bench
