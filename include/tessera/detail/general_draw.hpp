// SPDX-License-Identifier: BSD-3-Clause
// Tiles for a general contraction drawn at random from all that fit a GPU: a fair sample for a random search.
#pragma once

#include <cstdint>
#include <vector>

#include <tessera/detail/general_cost.hpp>

namespace tessera::detail {

/// All combinations of boxes, of warps and of the sides for rows and columns: candidates_of's `enumerated`.
double number_of_combinations(const general_form& form);

struct drawn_tiles {
  std::vector<general_tile> found;  // no two alike
  double draws = 0, fitting = 0;    // how many were drawn, and how many of those fit, alike ones included
};

/// Draws from the combinations that candidates_of counts as `enumerated`, each as likely, until `count` different ones
/// fit or the space seems to have no more. Each has as many stages as leave room for two blocks, and no splits. The
/// same seed draws the same tiles, and more of them begin with fewer of them.
drawn_tiles draw_tiles(const general_form& form, const general_kind& kind, const gpu_rates& gpu, std::size_t count,
                       std::uint64_t seed);

}  // namespace tessera::detail
