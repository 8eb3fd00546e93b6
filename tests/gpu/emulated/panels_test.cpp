// SPDX-License-Identifier: BSD-3-Clause
// The order of tiles by panels reaches every tile once, and goes through one panel after the other.
#include "cuda.hpp"

#include <tessera/gpu/detail/general/shape.cuh>

#include <utility>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

template <int panel>
void check_grid(index_t fast, index_t slow) {
  INFO(fast << " x " << slow << " in panels of " << panel);
  std::vector<int> seen(std::size_t(fast * slow), 0);
  bool keeps_to_panels = true;
  for (index_t block = 0; block < fast * slow; ++block) {
    const index_t place = device::place_in_panels<panel>(block, fast, slow);
    REQUIRE((place >= 0 && place < fast * slow));
    ++seen[std::size_t(place)];
    keeps_to_panels = keeps_to_panels && place / fast / panel == block / (fast * panel);
  }
  CHECK(seen == std::vector<int>(seen.size(), 1));
  CHECK(keeps_to_panels);
}

template <int... panel>
void check_all(std::integer_sequence<int, panel...>) {
  for (index_t fast = 1; fast <= 9; ++fast)
    for (index_t slow = 1; slow <= 9; ++slow) (check_grid<panel + 1>(fast, slow), ...);
}

}  // namespace

TEST_CASE("gpu general programs: panels go through every grid of tiles", "[general]") {
  check_all(std::make_integer_sequence<int, 16>());
}
