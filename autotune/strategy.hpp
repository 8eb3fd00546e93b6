// SPDX-License-Identifier: BSD-3-Clause
// Search strategies: one small function each, over the same interface, deterministic given the samples.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator.hpp"

namespace tessera::tune {

struct search_problem {
  int candidates = 0;
  std::vector<double> predicted;  // seconds of each; empty, or any 0: no model
  int incumbent = 0;              // the candidate to keep if none is better
  /// Axis values of each; empty: unknown. An error of the model at a value also holds for other candidates with it.
  std::vector<std::vector<int>> points;
};

struct search_options {
  double share = 0.15;    // largest fraction of the candidates that elimination measures
  int least = 8;          // but at least this many
  int rounds = 7;         // samples of each survivor before finalists are settled
  int final_rounds = 60;  // at most, of each finalist
  double same = 0.01;     // finalists whose medians differ by less, or whose intervals overlap at the end, are tied
  std::uint64_t seed = 1;
  /// Called between rounds: false ends the search with the current result.
  std::function<bool()> may_go_on = [] { return true; };
};

struct tried {
  int candidate = 0;
  outcome how = outcome::ok;
  std::string reason;           // where not ok
  std::vector<double> seconds;  // one for each round that it was in
};

struct search_result {
  int winner = -1;  // -1: nothing worked
  int runner_up = -1;
  bool tie = false;             // winner and runner-up could not be distinguished
  double median = 0, mad = 0;   // of the winner, seconds of one product
  double runner_up_median = 0;  // the winner's times their ratio in common rounds, without drift
  std::vector<tried> all;       // every candidate that was measured, in the order of first measurement
};

using strategy = search_result (*)(const search_problem&, evaluator&, const search_options&);

struct named_strategy {
  std::string_view name, purpose;
  strategy run;
};

/// exhaustive, random, model_first, elimination (the default).
std::span<const named_strategy> strategies();

/// Throws, naming the available strategies.
const named_strategy& strategy_named(std::string_view name);

/// Measures finalists again, interleaved, until the best one is clearly faster or they are tied: then the incumbent is
/// kept if it is among them, else the lowest number wins. All strategies end with this. Finalists have equally many
/// samples, and the last ones of them were taken in the same rounds.
void settle(search_result& result, std::vector<int> finalists, const search_problem& p, evaluator& e,
            const search_options& o);

}  // namespace tessera::tune
