// SPDX-License-Identifier: BSD-3-Clause
// Tiles that differ from a plan's in one thing, to see what that thing is worth: --vary of the suite tccg.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>

#include "run_case.hpp"

namespace tessera::bench {

/// stages: of the pipeline, 1 (none) to 4; splits: blocks that share a sum, 1 to 8; panel: boxes of tiles that run
/// together, 0 (the order of the output) to 16; side: whether rows or columns are down, on the side of 16 of tensor
/// cores: the one that is across has neighbours in a thread when it is written.
std::span<const char* const> things_to_vary();

/// "stages 1", "stages 2", ...
std::vector<std::string> names_of_tiles(const std::string& thing);

struct varied_tile {
  std::string name;
  detail::general_tile tile;
};
/// One for each name: the tile with that value of its field, the rest as it is.
std::vector<varied_tile> varied(const detail::general_tile& tile, const std::string& thing);

/// The form of a case, and the kind of its kernel.
general_form form_of(const workload& work);
detail::general_kind kind_of(const workload& work);

/// Throws where --vary does not go with the other options: it takes a GPU, products and sums, and beta = 0.
void check_vary(const options& o);

/// Each of these tiles as a way to compute the case, whose operands are in their places; not as peers. `note` gets why
/// one is left out: it does not compile, or it does not fit the GPU.
std::vector<way> ways_of_tiles(workload& work, const std::vector<operand>& operands, const setting& s,
                               const std::function<void(const std::string&)>& note);

}  // namespace tessera::bench
