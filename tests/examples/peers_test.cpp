// SPDX-License-Identifier: BSD-3-Clause
// The demo's peers have the instruction set that Tessera's kernels have.
#include "peers.hpp"

#include <string>

#include "testing/catch.hpp"
#include "testing/forced.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using tessera::testing::forced;

TEST_CASE("demo: TESSERA_TARGET chooses the peers' instruction set, too") {
  const std::vector<target> all = tessera::testing::cpu_targets();
  REQUIRE(all.size() >= 2);  // the reference, and an instruction set of this build
  for (std::size_t i = 1; i < all.size(); ++i) {
    const forced environment(name_of(all[i]));
    CHECK(std::string(demo::best_peers().isa) == name_of(all[i]));
  }
  const forced nothing(nullptr);
  CHECK(std::string(demo::best_peers().isa) == name_of(all.back()));
}

TEST_CASE("demo: the reference loops have no instruction set; peers have the first one of the build") {
  const forced environment("reference");
  CHECK(std::string(demo::best_peers().isa) == name_of(tessera::testing::cpu_targets().at(1)));
}
