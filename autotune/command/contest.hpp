// SPDX-License-Identifier: BSD-3-Clause
// The contest at the end of a case: the winner of the search against its rivals, the default and the tuning that runs
// today.
#pragma once

#include <map>
#include <vector>

#include "evaluator.hpp"
#include "strategy.hpp"

namespace tessera::tune {

/// A rival of the winner.
struct duel {
  outcome how = outcome::ok;
  double ratio = 1, mad = 0;  // its time divided by the winner's; the spread of its time
  double least = 1;           // lower end of the ratio's confidence interval
};

/// Winner and rivals are measured one after the other in every round, so that the median of their ratios has no drift.
/// By candidate, the winner included, which may still fail. A rival that fails is dropped.
std::map<int, duel> contest_of(int winner, const std::vector<int>& rivals, evaluator& e);

/// The time of a rival if the winner takes `seconds_of_winner`; 0 if it fails.
double seconds_of(const duel& d, double seconds_of_winner);

/// True if no rival is faster: noise may have made a worse candidate win the search. `clearly`: all are slower by more
/// than the noise.
bool beats_all(int winner, const std::map<int, duel>& contest, bool clearly);

/// The fastest rival becomes the winner. Precondition: one of them works.
void give_way(search_result& result, const std::map<int, duel>& contest);

}  // namespace tessera::tune
