// SPDX-License-Identifier: BSD-3-Clause
// Which candidates to try next: the model's order, corrected by what it got wrong at candidates alike.
#pragma once

#include <vector>

#include "strategy.hpp"

namespace tessera::tune {

/// Of the candidates that were not measured yet, the `count` whose corrected prediction is fastest. Without predictions
/// the measured times themselves are carried to candidates alike.
std::vector<int> most_promising(const search_problem& p, const search_result& so_far, int count);

}  // namespace tessera::tune
