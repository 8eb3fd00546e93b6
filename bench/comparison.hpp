// SPDX-License-Identifier: BSD-3-Clause
// Compares our time with that of the fastest of several peers, without the luck of the one that is chosen.
#pragma once

#include <optional>
#include <vector>

#include "measure/measure.hpp"

namespace tessera::bench {

struct peer_comparison {
  std::size_t index = 0;  // of the shortest median over all rounds
  double ratio = 0;       // its time over ours
};

/// The least of several noisy times is too short by chance. So the samples of even rounds choose a peer, and those of
/// odd rounds compare it with ours, and the other way round; the ratio is the geometric mean of the two. A contender
/// with a single sample has the same time in both. Empty without peers.
std::optional<peer_comparison> compare_with_best(const timing& ours, const std::vector<const timing*>& peers);

}  // namespace tessera::bench
