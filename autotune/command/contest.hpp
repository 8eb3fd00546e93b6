// SPDX-License-Identifier: BSD-3-Clause
// The contest at the end of a case: the winner of the search beside its rivals, the default and what runs today.
#pragma once

#include <map>
#include <vector>

#include "evaluator.hpp"
#include "strategy.hpp"

namespace tessera::tune {

/// A rival beside the winner.
struct duel {
  outcome how = outcome::ok;
  double ratio = 1, mad = 0;  // its seconds over those of the winner; the spread of its seconds
  double least = 1;           // the low end of where the ratio is
};

/// Winner and rivals one after the other in every round: the median of their ratios is free of drift. By candidate, the
/// winner among them: it may fail after all. A rival that fails drops out.
std::map<int, duel> contest_of(int winner, const std::vector<int>& rivals, evaluator& e);

/// Seconds of a rival where the winner takes `seconds_of_winner`; 0 where it fails.
double seconds_of(const duel& d, double seconds_of_winner);

/// No rival is faster: noise may have let a worse one win the search. `clearly`: each is slower beyond the noise.
bool beats_all(int winner, const std::map<int, duel>& contest, bool clearly);

/// The fastest of the rivals wins after all; there is one that works.
void give_way(search_result& result, const std::map<int, duel>& contest);

}  // namespace tessera::tune
