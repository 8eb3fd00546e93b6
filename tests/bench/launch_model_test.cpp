// SPDX-License-Identifier: BSD-3-Clause
// Latencies of ways to launch, of made-up times: measured again where a case takes less; and lines without a latency.
#include "launch_model.hpp"

#include <limits>
#include <vector>

#include "testing/catch.hpp"
#include "timed.hpp"

namespace bench = tessera::bench;
using tessera::testing::timed;

namespace {

bench::case_results case_of(const std::vector<double>& seconds) {
  bench::case_results c;
  for (const double s : seconds) c.all.push_back({.impl = "way", .time = timed(s), .checked = {}, .describe = ""});
  return c;
}

// Measurements one after the other, the last one again and again.
struct measurements {
  std::vector<std::vector<double>> seconds;
  std::size_t taken = 0;
  bench::case_results operator()() { return case_of(seconds[std::min(taken++, seconds.size() - 1)]); }
};

}  // namespace

TEST_CASE("launch latencies: measured again where a case takes less, and the better one counts") {
  measurements m{{{5.25e-3, 3.6e-6}, {3.6e-3, 4e-6}}};
  bench::launch_latencies latency([&] { return m(); });
  CHECK(m.taken == 1);
  CHECK(latency.of(0) == 5.25e-3);
  CHECK(latency.smallest().all[1].time.seconds.median == 3.6e-6);
  latency.hold_against(case_of({6e-3, 5e-6}));
  latency.hold_against(case_of({4.8e-3, 3.5e-6}));  // less than a tenth below
  CHECK(m.taken == 1);
  latency.hold_against(case_of({3.55e-3, 5e-6}));
  CHECK(m.taken == 2);
  CHECK(latency.of(0) == 3.6e-3);
  CHECK(latency.of(1) == 3.6e-6);
  CHECK(latency.smallest().all[0].time.seconds.median == 3.6e-3);
  // Never more than a case is measured.
  latency.hold_against(case_of({1e-3, 1e-6}));
  latency.hold_against(case_of({1e-3, 1e-6}));
  CHECK(m.taken == std::size_t(bench::most_measurements));
  CHECK(latency.of(0) == 3.6e-3);
}

TEST_CASE("launch lines: a latency or bandwidth that the times do not show is null") {
  const nlohmann::json seen =
      bench::launch_line_json("graph", {.latency = 2e-3, .bandwidth = 1e9, .worst_fit = 0.1}, 1000);
  CHECK(seen["impl"] == "graph");
  CHECK(seen["latency"] == 2e-3);
  CHECK(seen["latency_of_a_product"].get<double>() == Approx(2e-6));
  CHECK(seen["bandwidth"] == 1e9);
  const nlohmann::json unseen =
      bench::launch_line_json("graph", {.latency = 0, .bandwidth = std::numeric_limits<double>::infinity()}, 1000);
  CHECK(unseen["latency"].is_null());
  CHECK(unseen["latency_of_a_product"].is_null());
  CHECK(unseen["bandwidth"].is_null());
}
