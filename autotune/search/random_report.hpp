// SPDX-License-Identifier: BSD-3-Clause
// How rare good candidates are: the distribution of a sample, and the cost of a random search.
#pragma once

#include <string>
#include <vector>

#include "strategy.hpp"

namespace tessera::tune {

/// Candidates whose time is within `within` of the best's: best / time >= 1 - within.
struct rarity {
  double within = 0;
  double below = 0;           // F: the share of candidates that do not reach it
  double expected_tests = 0;  // (V + 1) / (V (1 - F) + 1): draws without replacement until one reaches it, on average
  long worst_tests = 0;       // F V + 1: this many draws always suffice
};

struct random_report {
  int candidates = 0;             // V, of the whole space
  int measured = 0, failed = 0;   // of these
  std::vector<double> fractions;  // best / time of each measured one, ascending, failures as 0: the empirical CDF
  std::vector<rarity> levels;     // within 0, 1, 2, 5, 10, 20 and 50 %
};

/// From a random or exhaustive search; "best" is the best measured candidate.
random_report report_on(const search_result& sampled, int candidates);

/// Of any level; `measured` > 0.
rarity rarity_at(double within, const random_report& r);

/// When a random search has drawn enough: as soon as it has made `times` as many draws as are expected until one is
/// within `within` of the best so far. Candidates that are better still, and as frequent as these, would have stayed
/// unseen with a probability of exp(-times): 5 %.
struct enough_draws {
  double within = 0.05, times = 3;
};
bool are_enough(const random_report& r, const enough_draws& rule);

/// A table as text.
std::string text_of(const random_report& r);

}  // namespace tessera::tune
