// SPDX-License-Identifier: BSD-3-Clause
// Which candidates a search starts with: by model, by chance, and how many of them.
#pragma once

#include <cstdint>
#include <vector>

#include "strategy.hpp"

namespace tessera::tune {

/// How many candidates a search that samples the space may measure.
int allowance(const search_problem& p, const search_options& o);

/// Whether every candidate has a predicted time: of a device whose limits nobody measured there are none.
bool is_modelled(const search_problem& p);

/// 0, 1, ...
std::vector<int> in_order(int candidates);

/// All candidates, fastest prediction first; without predictions in order of number.
std::vector<int> by_prediction(const search_problem& p);

/// The same in every run and with every standard library.
void shuffle(std::vector<int>& candidates, std::uint64_t seed);

/// The first `count` of the order, the incumbent among them.
std::vector<int> first_with_incumbent(const std::vector<int>& order, int count, int incumbent);

/// Throws where the problem contradicts itself.
void check(const search_problem& p);

/// What random and exhaustive search and the plain model have in common: these candidates, all rounds, then settle.
search_result measure_and_settle(const std::vector<int>& chosen, const search_problem& p, evaluator& e,
                                 const search_options& o);

}  // namespace tessera::tune
