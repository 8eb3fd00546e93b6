// SPDX-License-Identifier: BSD-3-Clause
// The candidates that a search starts with: by model or at random, and their number.
#pragma once

#include <cstdint>
#include <vector>

#include "strategy.hpp"

namespace tessera::tune {

/// How many candidates a search that samples the space may measure.
int allowance(const search_problem& p, const search_options& o);

/// Whether every candidate has a predicted time: there are none for a device without measured limits.
bool is_modelled(const search_problem& p);

/// 0, 1, ...
std::vector<int> in_order(int candidates);

/// All candidates, fastest prediction first; without predictions in order of number.
std::vector<int> by_prediction(const search_problem& p);

/// The same in every run and with every standard library.
void shuffle(std::vector<int>& candidates, std::uint64_t seed);

/// The first `count` of the order, the incumbent among them.
std::vector<int> first_with_incumbent(const std::vector<int>& order, int count, int incumbent);

/// Throws if the problem is inconsistent.
void check(const search_problem& p);

/// The common part of random, exhaustive and model-first search: these candidates, all rounds, then settle.
search_result measure_and_settle(const std::vector<int>& chosen, const search_problem& p, evaluator& e,
                                 const search_options& o);

}  // namespace tessera::tune
