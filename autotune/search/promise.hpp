// SPDX-License-Identifier: BSD-3-Clause
// Which candidates to try next: the model's order, corrected by its errors at similar candidates.
#pragma once

#include <vector>

#include "strategy.hpp"

namespace tessera::tune {

/// Of the candidates that were not measured yet, the `count` whose corrected prediction is fastest. Without predictions
/// the measured times themselves are extrapolated to similar candidates.
std::vector<int> most_promising(const search_problem& p, const search_result& so_far, int count);

}  // namespace tessera::tune
