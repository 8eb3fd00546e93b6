// SPDX-License-Identifier: BSD-3-Clause
// Loads for the energy model: each of several threads does its part.
#include "energy_loads.hpp"

#include "testing/catch.hpp"

namespace bench = tessera::bench;

TEST_CASE("energy loads: a copy is shared by all threads, multiply-adds are of each") {
  const auto one = bench::energy_loads_of_cpu(1), three = bench::energy_loads_of_cpu(3);
  REQUIRE((one.size() == 3 && three.size() == 3));
  CHECK(one[0].bytes == 2. * (128 << 20));
  CHECK(three[0].bytes == one[0].bytes);
  CHECK(one[1].flops > 0);
  CHECK(three[1].flops == 3 * one[1].flops);
  CHECK((three[2].flops == 0 && three[2].bytes == 0));
  for (const bench::energy_load& load : three) CHECK_NOTHROW(load.pass());
}
