// SPDX-License-Identifier: BSD-3-Clause
// Made-up timings: what is suspect, that it is measured again a bounded number of times, and how it is reported.
#include "measure/trust.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/timed.hpp"
#include "report.hpp"
#include "testing/catch.hpp"
#include "testing/says.hpp"

namespace bench = tessera::bench;
using tessera::testing::says;
using tessera::testing::timed;

namespace {

/// A kernel of 2 ms beside a movement whose length changes from one measurement to the next.
struct busy_machine {
  double now = 0;
  std::vector<double> movements;  // seconds, of each measurement; the last one stays
  std::size_t measurement = 0;
  int refreshed = 0;
  double spread = 0;  // every other pass of the movement is so much longer
  long moved = 0;
  const char* by = "bandwidth";

  bench::measurement measure() {
    bench::protocol p;
    p.reps = {.least = 4, .most = 4, .largest_rrs = 1};
    p.time = [this](const std::function<void()>& pass, long passes) {
      const double start = now;
      for (long i = 0; i < passes; ++i) pass();
      return now - start;
    };
    const auto movement = [this] {
      now += movements[std::min(measurement, movements.size() - 1)] * (1 + spread * double(moved++ % 2));
    };
    return bench::measure_until_trusted({{"tessera", [this] { now += 2e-3; }}, {"movement", movement}}, 1, p,
                                        [this](const std::vector<bench::timing>& times, bool again) {
                                          refreshed += again;
                                          ++measurement;
                                          return bench::bound{.seconds = times[1].seconds.median, .by = by};
                                        });
  }
};

bench::case_results a_case(const std::string& label, double fraction, const std::string& suspect) {
  bench::case_results c;
  c.label = label;
  c.limit.seconds = 1e-3 * fraction;
  c.all = {{"tessera", timed(1e-3), {.error = 0, .bound = 1}, "", suspect}};
  return c;
}

}  // namespace

TEST_CASE("a fraction far above the bound is suspect; the honest part depends on what bounds") {
  const bench::bound memory{.seconds = 1e-3}, halved_flops{.seconds = 1e-3, .by = "flops", .honest = 2};
  CHECK(bench::suspicion(timed(1.1e-3), memory).empty());
  CHECK(bench::suspicion(timed(0.9e-3), memory).empty());
  CHECK(says(bench::suspicion(timed(0.8e-3), memory), "125% of the bound (bandwidth)"));
  CHECK(bench::suspicion(timed(0.5e-3), halved_flops).empty());
  CHECK(says(bench::suspicion(timed(0.4e-3), halved_flops), "above 240%"));
  CHECK(says(bench::suspicion(timed(1e-3 / 177.986), memory), "17799%"));
}

TEST_CASE("data in a cache may be moved faster than by a plain loop") {
  using tessera::space_kind;
  CHECK(bench::honest_movement(space_kind::cpu, 1) == bench::honest_in_cache);
  CHECK(bench::honest_movement(space_kind::gpu, bench::device_cache_bytes) == bench::honest_in_cache);
  CHECK(bench::honest_movement(space_kind::gpu, bench::device_cache_bytes + 1) == 1);
  CHECK(bench::honest_movement(space_kind::cpu, 1e13) == 1);
}

TEST_CASE("samples that spread or were interrupted are suspect, and a time of nothing") {
  const bench::bound memory{.seconds = 1e-3};
  CHECK(says(bench::suspicion(timed(2e-3, 0.5), memory), "spread by 50%"));
  CHECK(says(bench::suspicion(timed(2e-3, 0.01, 8), memory), "8 of 15 samples were interrupted"));
  CHECK(bench::suspicion(timed(2e-3, 0.01, 7), memory).empty());
  CHECK_FALSE(bench::suspicion(timed(0), memory).empty());
  CHECK_FALSE(bench::suspicion(timed(1), {.seconds = std::numeric_limits<double>::quiet_NaN()}).empty());
}

TEST_CASE("of two measurements the shorter one counts, or an undisturbed one that is hardly longer") {
  const bench::timing clean = timed(1), noisy = timed(0.999, 0.5), interrupted = timed(0.96, 0.01, 8);
  for (const bench::timing& other : {noisy, interrupted}) {
    CHECK(bench::better_of(other, clean).seconds.median == 1);
    CHECK(bench::better_of(clean, other).seconds.median == 1);
  }
  const bench::timing shorter = timed(0.9, 0.5), longer = timed(1.01);
  CHECK(bench::better_of(clean, shorter).seconds.median == 0.9);
  CHECK(bench::better_of(shorter, clean).seconds.median == 0.9);
  CHECK(bench::better_of(clean, longer).seconds.median == 1);
  CHECK(bench::better_of(longer, clean).seconds.median == 1);
  CHECK(bench::better_of(noisy, interrupted).seconds.median == 0.96);
  CHECK(bench::better_of(timed(0), noisy).seconds.median == 0.999);
  CHECK(bench::better_of(noisy, timed(0)).seconds.median == 0.999);
}

TEST_CASE("a limit that was disturbed once is measured again with its case") {
  busy_machine machine{.movements = {50e-3, 1.8e-3}};
  const bench::measurement m = machine.measure();
  CHECK(m.measured == 2);
  CHECK(machine.refreshed == 1);
  CHECK(m.suspect[0].empty());
  CHECK(std::abs(m.limit.seconds - 1.8e-3) < 1e-9);
}

TEST_CASE("a trusted case is measured once, one that stays disturbed three times, and is then marked suspect") {
  busy_machine calm{.movements = {1.8e-3}};
  CHECK(calm.measure().measured == 1);
  busy_machine busy{.movements = {50e-3}};
  const bench::measurement m = busy.measure();
  CHECK(m.measured == bench::most_measurements);
  CHECK(says(m.suspect[0], "2500% of the bound"));
}

TEST_CASE("a noisy movement makes a case suspect where it bounds it, not where flops do") {
  const bench::bound memory{.seconds = 1e-3}, flops{.seconds = 1e-3, .by = "flops"};
  for (const bench::timing& noisy : {timed(0.9e-3, 0.5), timed(0.9e-3, 0.01, 8)}) {
    CHECK(says(bench::disturbance_of_limit(noisy, memory), "the data movement that bounds it: "));
    CHECK(bench::disturbance_of_limit(noisy, flops).empty());
  }
  CHECK(bench::disturbance_of_limit(timed(0.9e-3), memory).empty());

  // Samples alternate between 1.2 and 2.04 ms.
  busy_machine machine{.movements = {1.2e-3}, .spread = 0.7};
  const bench::measurement by_memory = machine.measure();
  CHECK(by_memory.measured == bench::most_measurements);
  CHECK(says(by_memory.suspect[0], "the data movement that bounds it: samples spread by"));
  machine.by = "flops";
  const bench::measurement by_flops = machine.measure();
  CHECK(by_flops.measured == 1);
  CHECK(by_flops.suspect[0].empty());
}

TEST_CASE("a suspect case changes the exit status; a wrong one another way") {
  bench::options quiet;
  quiet.quiet = true;
  const auto status = [&](const std::vector<bench::case_results>& cases) {
    bench::report to(quiet, {});
    for (const bench::case_results& c : cases) to.add(c);
    return to.finish();
  };
  const bench::case_results good = a_case("good", 0.9, ""), odd = a_case("odd", 177.986, "17799% of the bound");
  bench::case_results wrong = odd;
  wrong.all[0].checked.error = 2;
  CHECK(status({good}) == 0);
  CHECK(status({good, odd}) == 3);
  CHECK(status({good, wrong}) == 1);
}
