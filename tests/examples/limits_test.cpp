// SPDX-License-Identifier: BSD-3-Clause
// The demo measures again what was disturbed, a bounded number of times.
#include "limits.hpp"

#include <chrono>
#include <thread>

#include "testing/catch.hpp"

namespace bench = tessera::bench;
namespace demo = tessera::demo;

TEST_CASE("demo: a pass by itself whose samples spread is measured three times and stays disturbed") {
  const demo::limits machine({.seconds = 0.01}, false);
  int calls = 0;
  // 5, 25, 45, 65, 85 ms: five samples, the least, spread by more than half of their median.
  const bench::timing t =
      machine.alone([&] { std::this_thread::sleep_for(std::chrono::milliseconds(20 * (++calls % 5) + 5)); });
  CHECK_FALSE(bench::disturbance(t).empty());
  CHECK(calls >= 5 * bench::most_measurements);
}
