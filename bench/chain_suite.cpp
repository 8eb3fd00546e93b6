// SPDX-License-Identifier: BSD-3-Clause
// Suite chain: the mass operator's evaluation by sum factorisation as one chain: fused, if possible, and staged.
#include <omp.h>

#include <algorithm>

#include <tessera/error.hpp>

#include "chain_case.hpp"
#include "sizes.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

void run_one(const chain_sizes& sizes, setting& s, report& to) {
  workload work = chain_workload(sizes, s);
  const std::vector<operand> operands = place(work, s);
  const operand &x = operands[2], &y = operands[3];
  const std::vector<chain_step> steps = steps_of(sizes, work, operands);
  const plan_options best = options_of_plans(s);
  plan_options staged = best;
  staged.fuse = false;
  const chain ours(steps, x, y, best), plain(steps, x, y, staged);
  buffer workspace(y.space, std::max(plain.workspace_bytes(work.batch()), ours.workspace_bytes(work.batch())));

  std::vector<way> ways{{"tessera", [&] { ours.run_operands(x, y, workspace, {}); }, ours.describe()}};
  if (ours.is_fused()) ways.push_back({"staged", [&] { plain.run_operands(x, y, workspace, {}); }, plain.describe()});
  to.add(measured(work, s, ways, name_of(s.on), ours.describe(detail_level::brief),
                  [&] { return check_chain(sizes, work); }));
}

}  // namespace

int run_chain(const options& o) {
  if (!o.type.is_real()) throw error(std::string("chain: type ") + name_of(o.type) + ", not f32 or f64");
  if (o.dim != 2 && o.dim != 3) throw error("--dim: " + std::to_string(o.dim) + " is neither 2 nor 3");
  const std::vector<int> orders = parse_orders(o.orders);
  points_for(o.points, 1);
  omp_set_num_threads(o.threads);
  report to(o, {});
  setting s = make_setting(o, {}, to);
  for (const int p : orders) run_one({o.dim, p + 1, points_for(o.points, p)}, s, to);
  return to.finish();
}

}  // namespace tessera::bench
