// SPDX-License-Identifier: BSD-3-Clause
// Rounds of the winner and its rivals, and the result.
#include "command/contest.hpp"

#include <algorithm>

#include "measure/statistics.hpp"

namespace tessera::tune {

namespace {

constexpr int contest_rounds = 15;
// Of the median ratio.
constexpr int ratio_resamples = 300;
constexpr double ratio_confidence = 0.99;

}  // namespace

std::map<int, duel> contest_of(int winner, const std::vector<int>& rivals, evaluator& e) {
  std::map<int, duel> all{{winner, {}}};
  std::vector<int> entrants{winner};
  for (const int each : rivals)
    if (all.try_emplace(each).second) entrants.push_back(each);
  std::map<int, std::vector<double>> ratios, seconds;
  for (int i = 0; i < contest_rounds && entrants.size() > 1; ++i) {
    if (i % rounds_a_sitting == 0) e.renew();
    const std::vector<sample> samples = e.round(entrants);
    for (std::size_t j = 0; j < entrants.size(); ++j) all[entrants[j]].how = samples[j].how;
    if (samples[0].how != outcome::ok) return all;
    for (std::size_t j = 1; j < entrants.size(); ++j) {
      if (samples[j].how != outcome::ok) continue;
      ratios[entrants[j]].push_back(samples[j].seconds / samples[0].seconds);
      seconds[entrants[j]].push_back(samples[j].seconds);
    }
    std::erase_if(entrants, [&](int candidate) { return all[candidate].how != outcome::ok; });
  }
  for (const auto& [candidate, each] : ratios) {
    duel& d = all[candidate];
    d.ratio = bench::median(each);
    d.mad = bench::median_absolute_deviation(seconds[candidate]);
    d.least = bench::bootstrap_median(each, ratio_resamples, ratio_confidence).low;
  }
  return all;
}

double seconds_of(const duel& d, double seconds_of_winner) {
  return d.how == outcome::ok ? seconds_of_winner * d.ratio : 0;
}

bool beats_all(int winner, const std::map<int, duel>& contest, bool clearly) {
  return std::ranges::all_of(contest, [&](const auto& rival) {
    const auto& [candidate, d] = rival;
    return candidate == winner || d.how != outcome::ok || (clearly ? d.least > 1 : d.ratio >= 1);
  });
}

void give_way(search_result& result, const std::map<int, duel>& contest) {
  int fastest = -1;
  for (const auto& [candidate, d] : contest) {
    if (candidate == result.winner || d.how != outcome::ok) continue;
    if (fastest < 0 || d.ratio < contest.at(fastest).ratio) fastest = candidate;
  }
  const duel& d = contest.at(fastest);
  result.runner_up = result.winner;
  result.runner_up_median = result.median;
  result.winner = fastest;
  result.median *= d.ratio;
  result.mad = d.mad;
  result.tie = true;
}

}  // namespace tessera::tune
