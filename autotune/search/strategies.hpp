// SPDX-License-Identifier: BSD-3-Clause
// The search strategies, one function each.
#pragma once

#include "strategy.hpp"

namespace tessera::tune {

/// Every candidate, in every round.
search_result exhaustive(const search_problem& p, evaluator& e, const search_options& o);

/// A seeded sample of the allowed fraction, drawn without replacement.
search_result random(const search_problem& p, evaluator& e, const search_options& o);

/// Candidates in their order, which is random, `at_once` after each other, until `enough` says so of what was measured
/// or all were.
search_result until_enough(const search_problem& p, evaluator& e, const search_options& o, int at_once,
                           const std::function<bool(const search_result&)>& enough);

/// The allowed fraction that the model ranks first. Throws without predictions.
search_result model_first(const search_problem& p, evaluator& e, const search_options& o);

/// Starts with the model's first and a few random ones, and drops clearly worse ones round by round.
search_result elimination(const search_problem& p, evaluator& e, const search_options& o);

}  // namespace tessera::tune
