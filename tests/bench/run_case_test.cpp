// SPDX-License-Identifier: BSD-3-Clause
// A peak that was measured far too low makes a case suspect: the better one that replaces it stays.
#include "run_case.hpp"

#include "product_case.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

// The peak that bounded the case.
double measured_peak(bench::setting& s) {
  bench::workload work = bench::product_case({8, 8, 8}, "nn", s);
  const std::vector<tessera::operand> operands = bench::place(work, s);
  const tessera::plan planned = tessera::make_plan_of(work.what, operands.data(), 3, {s.on, s.with.threads});
  return bench::measured(work, s, {{"tessera", [&] { planned.run_operands(operands.data(), 3, {}); }, ""}}, planned)
      .limit.peak;
}

}  // namespace

TEST_CASE("the best of all measured peaks counts, in the case at hand and in those that follow") {
  bench::setting s;
  s.with.batch = 500;
  s.with.reps = 5;
  s.on = tessera::default_cpu_target();
  constexpr double nothing = 1;  // flop/s: any kernel is far above such a bound
  s.peak = nothing;
  const double first = measured_peak(s);
  CHECK(first > 1e6);
  CHECK(s.peak == first);
  CHECK(measured_peak(s) >= first);
  CHECK(s.peak >= first);
}
