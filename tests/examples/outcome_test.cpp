// SPDX-License-Identifier: BSD-3-Clause
// The demo's outcomes from made-up times: what is disturbed follows the rule of the benchmarks.
#include "outcome.hpp"

#include "bench/timed.hpp"
#include "table.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
namespace demo = tessera::demo;
using tessera::testing::timed;

namespace {

/// Of more data than any cache holds, beside a movement and flops that take so long.
demo::outcome outcome_of(const bench::timing& ours, const bench::timing& movement, double flop_seconds) {
  demo::outcome r{.elements = 1'000'000'000};
  r.tessera = ours;
  r.movement = movement;
  r.peak = r.flops() / flop_seconds;
  return r;
}

}  // namespace

TEST_CASE("demo: what may be above a bound depends on what bounds, as in tessera-bench") {
  CHECK_FALSE(outcome_of(timed(1), timed(1.15), 0.1).disturbed());
  CHECK(outcome_of(timed(1), timed(1.25), 0.1).disturbed());
  CHECK_FALSE(outcome_of(timed(1), timed(0.1), 2.3).disturbed());
  CHECK(outcome_of(timed(1), timed(0.1), 2.5).disturbed());
}

TEST_CASE("demo: samples that spread or were interrupted disturb a case, its own or those of its limit") {
  CHECK_FALSE(outcome_of(timed(2, 0.19), timed(1, 0.19), 0.1).disturbed());
  CHECK(outcome_of(timed(2, 0.21), timed(1), 0.1).disturbed());
  CHECK(outcome_of(timed(2), timed(1, 0.21), 0.1).disturbed());
  CHECK(outcome_of(timed(2, 0.01, 8), timed(1), 0.1).disturbed());
  CHECK(outcome_of(timed(2), timed(1, 0.01, 8), 0.1).disturbed());
  // Where flops bind, how long data moves does not matter.
  CHECK_FALSE(outcome_of(timed(2), timed(0.1, 0.21), 1).disturbed());
  CHECK_FALSE(outcome_of(timed(2), timed(0.1, 0.01, 8), 1).disturbed());
  CHECK(demo::outcome{.elements = 1}.disturbed());  // nothing was measured
}

TEST_CASE("demo: a fraction is printed up to what may be above its bound, also where samples spread") {
  CHECK(demo::fraction_text(outcome_of(timed(1), timed(0.5), 0.1)) == "50%");
  CHECK(demo::fraction_text(outcome_of(timed(1, 0.5), timed(0.5), 0.1)) == "~50%");
  CHECK(demo::fraction_text(outcome_of(timed(1), timed(1.5), 0.1)) == "?");
  CHECK(demo::fraction_text(outcome_of(timed(1, 0.5), timed(0.1), 1.5)) == "~150%");
  CHECK(demo::fraction_text(outcome_of(timed(1), timed(0.1), 1.5)) == "150%");
  CHECK(demo::fraction_text(outcome_of(timed(1), timed(0.1), 2.5)) == "?");
  CHECK(demo::fraction_text(demo::outcome{.elements = 1}) == "?");
}

TEST_CASE("demo: means of fractions say how many of the cases they count") {
  const demo::outcome slow = outcome_of(timed(4), timed(1), 0.1), fast = outcome_of(timed(1), timed(1), 0.1),
                      beyond = outcome_of(timed(1), timed(50), 0.1);
  CHECK(demo::fractions_text({slow, beyond, fast}) ==
        "CPU, mass, apply: 50% of the bound in geometric mean, 25% at worst (2 of 3 cases)\n");
  CHECK(demo::fractions_text({beyond}) == "CPU, mass, apply: no fraction of the bound is plausible (0 of 1 cases)\n");
  demo::outcome matrices = beyond;
  matrices.what = demo::operation::matrices;
  matrices.tessera = timed(1e9);
  CHECK(demo::fractions_text({fast, matrices}).find("(1 of 1 cases)\nCPU, mass, matrices: ") != std::string::npos);
  CHECK(demo::fractions_text({}).empty());
}
