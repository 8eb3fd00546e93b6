// SPDX-License-Identifier: BSD-3-Clause
// The measurement loops with a clock of their own: interleaving, calibration and the repetition rule.
#include "measure/measure.hpp"

#include <cmath>
#include <string>

#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

/// A machine on which a pass of contender c takes cost[c] seconds and nothing else takes any.
struct fake_machine {
  double now = 0;
  std::string order;  // one letter a sample, from the first pass of each

  bench::contender contender(char name, double cost) {
    return {std::string(1, name), [this, name, cost] {
              now += cost;
              last = name;
            }};
  }
  bench::protocol protocol() {
    bench::protocol p;
    p.reps = {.least = 4, .most = 8, .largest_rrs = 0.02};
    p.time = [this](const std::function<void()>& pass, long passes) {
      const double start = now;
      for (long i = 0; i < passes; ++i) pass();
      order += last;
      return now - start;
    };
    return p;
  }

 private:
  char last = ' ';
};

}  // namespace

TEST_CASE("samples are interleaved, each round starting with another contender") {
  fake_machine machine;
  const auto times = bench::measure({machine.contender('a', 2e-3), machine.contender('b', 4e-3)}, machine.protocol());
  REQUIRE(times.size() == 2);
  CHECK(std::abs(times[0].seconds.median - 2e-3) < 1e-12);
  CHECK(std::abs(times[1].seconds.median - 4e-3) < 1e-12);
  CHECK(times[0].seconds.reps == 4);
  // A warm-up and three calibrating calls each, then the rounds.
  CHECK(machine.order == "aaaabbbbabbaabba");
}

TEST_CASE("short passes are repeated until a sample is long enough") {
  fake_machine machine;
  const auto times = bench::measure({machine.contender('a', 1e-6)}, machine.protocol());
  CHECK(double(times[0].passes) * 1e-6 >= 1e-3);
  CHECK(times[0].passes < 5000);
  CHECK(std::abs(times[0].seconds.median - 1e-6) < 1e-12);
}

TEST_CASE("a slow contender stops at five samples once its time is spent") {
  fake_machine machine;
  bench::protocol p = machine.protocol();
  p.reps.least = 20;
  p.most_seconds = 1;
  const auto times = bench::measure({machine.contender('s', 1.0)}, p);
  CHECK(times[0].seconds.reps == 5);
}

TEST_CASE("sustained: load first, then a window of samples, one contender after the other") {
  fake_machine machine;
  bench::protocol p = machine.protocol();
  p.sustain = 1e-9;
  p.sustained_window = 2;
  const auto times = bench::measure({machine.contender('a', 0.1), machine.contender('b', 0.1)}, p);
  CHECK(times[0].seconds.reps >= 20);
  CHECK(machine.order.find("ba") == std::string::npos);
}

TEST_CASE("sustained: samples are long, so that no device rests while meters are read") {
  fake_machine machine;
  bench::protocol p = machine.protocol();
  p.sustain = 1e-9;
  p.instruments.joules = [&] { return machine.now += 5e-3; };  // reading takes a while
  const double start = machine.now;
  const auto times = bench::measure({machine.contender('a', 1e-3)}, p);
  CHECK(times[0].passes >= 100);
  CHECK(machine.now - start < 1.25 * p.sustained_window + 1);
}

TEST_CASE("energy is divided by passes, and absent meters give NaN") {
  fake_machine machine;
  bench::protocol p = machine.protocol();
  p.instruments.joules = [&] { return 10 * machine.now; };
  p.instruments.clock_mhz = [] { return 1234.0; };
  const auto times = bench::measure({machine.contender('a', 2e-3)}, p);
  CHECK(std::abs(times[0].joules - 0.02) < 1e-9);
  CHECK(times[0].clock_mhz == 1234.0);
  const auto without = bench::measure({machine.contender('a', 2e-3)}, machine.protocol());
  CHECK(std::isnan(without[0].joules));
}

TEST_CASE("a disturbed sample is taken again and counted; endless disturbance does not hang") {
  fake_machine machine;
  bench::protocol p = machine.protocol();
  long calls = 0, switches = 0;
  const bench::contender once{"once", [&] {
                                const bool late = ++calls == 6;  // the second sample
                                machine.now += late ? 10e-3 : 2e-3;
                                switches += late;
                              }};
  p.instruments.disturbances = [&] { return switches; };
  const auto times = bench::measure({once}, p);
  CHECK(times[0].disturbed == 1);
  CHECK(times[0].seconds.reps == 4);
  CHECK(times[0].seconds.max < 3e-3);

  p.instruments.disturbances = [&] { return ++switches; };
  CHECK(bench::measure({machine.contender('a', 2e-3)}, p)[0].seconds.reps == 4);
}
