// SPDX-License-Identifier: BSD-3-Clause
// Contractions with functions of entries, pairs of operations, addends and mixed types, drawn at random, against plain
// loops.
#include "testing/catch.hpp"
#include "testing/drawn_fused.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

void check_drawn(unsigned first, unsigned count, index_t most) {
  for (unsigned seed = first; seed < first + count; ++seed) {
    drawn_fused drawn = drawn_fused_case(seed, most);
    plan_options options;
    options.threads = 1 + int(seed % 3);
    const double worst = worst_of_run(drawn, options);
    INFO("seed " << seed << ": " << drawn.text);
    CHECK(worst <= 1);
  }
}

}  // namespace

TEST_CASE("fused: drawn contractions are what plain loops make of them", "[plan][fused]") {
  check_drawn(1, 2000, 2000);
}

TEST_CASE("fused: 20,000 drawn contractions, larger ones too", "[.long][plan][fused]") {
  check_drawn(100000, 18000, 2000);
  check_drawn(200000, 2000, 100000);
}
