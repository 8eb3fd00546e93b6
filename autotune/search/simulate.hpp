// SPDX-License-Identifier: BSD-3-Clause
// Evaluates strategies on recorded spaces: the quality of their winners, and how much they measure.
#pragma once

#include <string>
#include <vector>

#include "search/random_report.hpp"
#include "search/replay.hpp"

namespace tessera::tune {

struct simulated_search {
  std::string of;  // the space
  int winner = -1;
  bool tie = false;
  int candidates = 0, measured = 0, failed = 0;
  long samples = 0;
  double reached = 0;  // the space's best true time divided by that of the winner; 0: no winner although there was one
  double of_exhaustive = 0;  // the true time of the winner of exhaustive search divided by that of this one's
};

struct simulated_strategy {
  std::string name;
  std::vector<simulated_search> searches;  // one for each space with a working candidate
  double reached = 0, worst = 0;           // geometric mean and least
  double of_exhaustive = 0;                // geometric mean
  double share = 0;                        // of all candidates of all spaces, measured
  int failed = 0;
};

simulated_search simulate(const named_strategy& s, const recorded_space& on, const search_options& o,
                          const replay_options& how);

/// Every strategy on every space. Strategies that need a model are skipped if a space has none.
std::vector<simulated_strategy> simulate(const recording& r, const search_options& o, const replay_options& how = {});

/// A table as text.
std::string text_of(const std::vector<simulated_strategy>& results);

/// The quality of the model's ranking: means over the spaces with a model.
struct model_quality {
  int spaces = 0;
  double rank_correlation = 0;
  double top_1 = 0, top_5 = 0, top_10 = 0;  // geometric means: best speed of the model's first k, relative to the best
};
model_quality quality_of_model(const recording& r);
std::string text_of(const model_quality& q);

/// How rare good candidates are, over all spaces together: each candidate's speed relative to the best of its space.
random_report rarity_in(const recording& r);

}  // namespace tessera::tune
