// SPDX-License-Identifier: BSD-3-Clause
// Energy from sampled power: the integral of a constant and of a step, and power that cannot be read.
#include "power_meter.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "measure/stopwatch.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

void wait_some_milliseconds(int count) { std::this_thread::sleep_for(std::chrono::milliseconds(count)); }

}  // namespace

TEST_CASE("a power meter integrates constant power, and samples by itself") {
  std::atomic<long> reads = 0;
  const auto watts = [&reads] {
    ++reads;
    return 200.0;
  };
  const bench::stopwatch around;
  bench::power_meter meter(watts, 0.005);
  const bench::stopwatch within;
  wait_some_milliseconds(100);
  const double least = within.seconds(), joules = meter.joules(), most = around.seconds();
  CHECK((joules >= 200 * least * (1 - 1e-9) && joules <= 200 * most * (1 + 1e-9)));
  CHECK(reads > 3);
  CHECK(meter.joules() >= joules);
}

TEST_CASE("a power meter sees power that rose between two readings of its energy") {
  std::atomic<double> power = 0;
  bench::power_meter meter([&power] { return power.load(); }, 0.002);
  wait_some_milliseconds(20);
  CHECK(meter.joules() == 0);
  power = 1000;
  const bench::stopwatch high;
  wait_some_milliseconds(60);
  const double joules = meter.joules();
  CHECK((joules > 0 && joules < 1000 * (high.seconds() + 0.2)));
}

TEST_CASE("a power meter whose power cannot be read has no energy") {
  std::atomic<bool> fails = false;
  bench::power_meter meter([&fails] { return fails ? std::numeric_limits<double>::quiet_NaN() : 10.0; }, 0.002);
  CHECK(std::isfinite(meter.joules()));
  fails = true;
  CHECK(std::isnan(meter.joules()));
  fails = false;
  CHECK(std::isnan(meter.joules()));
}
