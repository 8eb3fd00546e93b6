// SPDX-License-Identifier: BSD-3-Clause
// The state of a search: takes rounds of samples, drops candidates that failed, and ranks the others after each round.
#pragma once

#include <vector>

#include "strategy.hpp"

namespace tessera::tune {

/// The least number of candidates that are measured again before a winner is chosen, if so many work.
inline constexpr int finalist_count = 5;

class tally {
 public:
  /// Continues with the content of `result`.
  tally(search_result& result, int candidates);

  /// One sample of each; those that fail leave `alive` and keep their reason in the result.
  void round(std::vector<int>& alive, evaluator& e);

  bool is_healthy(int candidate) const;
  const std::vector<double>& seconds(int candidate) const;

  /// Times relative to the round's fastest, in the median over the rounds: drift of the machine cancels.
  std::vector<double> scores(const std::vector<int>& of, std::size_t from = 0) const;

  /// The fastest of the working ones with the most samples; the incumbent as well if it is one of them.
  std::vector<int> fastest(int count, int incumbent) const;

 private:
  search_result& result_;
  std::vector<int> place_;  // of each candidate in result_.all, -1: not measured
};

/// first / second, sample by sample, from sample `from` on.
std::vector<double> ratios(const std::vector<double>& first, const std::vector<double>& second, std::size_t from = 0);

}  // namespace tessera::tune
