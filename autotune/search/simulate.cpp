// SPDX-License-Identifier: BSD-3-Clause
// Strategies on recorded spaces.
#include "search/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "measure/statistics.hpp"
#include "search/selection.hpp"
#include "space/ranking.hpp"

namespace tessera::tune {

namespace {

double best_seconds(const recorded_space& s) {
  double best = std::numeric_limits<double>::infinity();
  for (const recorded_candidate& c : s.candidates) best = std::min(best, true_seconds(c));
  return best;
}

simulated_strategy summed(std::string name, std::vector<simulated_search> searches) {
  simulated_strategy s;
  s.name = std::move(name);
  std::vector<double> reached, of_exhaustive;
  long measured = 0, candidates = 0;
  for (const simulated_search& each : searches) {
    reached.push_back(each.reached);
    of_exhaustive.push_back(each.of_exhaustive);
    measured += each.measured;
    candidates += each.candidates;
    s.failed += each.failed;
  }
  s.reached = bench::geometric_mean(reached);
  s.of_exhaustive = bench::geometric_mean(of_exhaustive);
  s.worst = reached.empty() ? 0 : *std::min_element(reached.begin(), reached.end());
  s.share = candidates > 0 ? double(measured) / double(candidates) : 0;
  s.searches = std::move(searches);
  return s;
}

}  // namespace

simulated_search simulate(const named_strategy& s, const recorded_space& on, const search_options& o,
                          const replay_options& how) {
  recorded_evaluator replay(on, how);
  const search_result found = s.run(problem_of(on), replay, o);
  simulated_search result;
  result.of = on.of;
  result.winner = found.winner;
  result.tie = found.tie;
  result.candidates = int(on.candidates.size());
  result.measured = int(found.all.size());
  for (const tried& t : found.all) {
    result.failed += t.how != outcome::ok;
    result.samples += long(t.seconds.size());
  }
  if (found.winner >= 0) result.reached = best_seconds(on) / true_seconds(on.candidates[std::size_t(found.winner)]);
  return result;
}

std::vector<simulated_strategy> simulate(const recording& r, const search_options& o, const replay_options& how) {
  std::map<std::string, double> exhaustive;
  for (const recorded_space& on : r.spaces)
    if (std::isfinite(best_seconds(on))) exhaustive[on.of] = simulate(strategy_named("exhaustive"), on, o, how).reached;
  std::vector<simulated_strategy> results;
  for (const named_strategy& s : strategies()) {
    std::vector<simulated_search> searches;
    for (const recorded_space& on : r.spaces) {
      if (!std::isfinite(best_seconds(on)) || (s.name == "model_first" && !is_modelled(problem_of(on)))) continue;
      searches.push_back(simulate(s, on, o, how));
      if (exhaustive[on.of] > 0) searches.back().of_exhaustive = searches.back().reached / exhaustive[on.of];
    }
    results.push_back(summed(std::string(s.name), std::move(searches)));
  }
  return results;
}

std::string text_of(const std::vector<simulated_strategy>& results) {
  std::string text =
      "strategy       spaces   of the best: mean    least   of exhaustive's winner   candidates measured   failed   "
      "samples\n";
  for (const simulated_strategy& s : results) {
    long samples = 0;
    for (const simulated_search& each : s.searches) samples += each.samples;
    char line[160];
    std::snprintf(line, sizeof line, "%-14s %6zu   %15.2f %%   %5.1f %%   %20.2f %%   %17.1f %%   %6d   %7ld\n",
                  s.name.c_str(), s.searches.size(), 100 * s.reached, 100 * s.worst, 100 * s.of_exhaustive,
                  100 * s.share, s.failed, samples);
    text += line;
  }
  return text;
}

model_quality quality_of_model(const recording& r) {
  model_quality q;
  std::vector<double> first[3];
  for (const recorded_space& s : r.spaces) {
    std::vector<double> predicted, all, compared, measured;
    for (const recorded_candidate& c : s.candidates) {
      const double seconds = true_seconds(c);
      predicted.push_back(c.predicted);
      all.push_back(seconds);
      if (!std::isfinite(seconds)) continue;
      compared.push_back(c.predicted);
      measured.push_back(seconds);
    }
    if (measured.size() < 5 || !is_modelled(problem_of(s))) continue;
    ++q.spaces;
    q.rank_correlation += spearman(compared, measured);
    const int counts[] = {1, 5, 10};
    // If all of the first k fail they reach 0, which a geometric mean cannot represent.
    for (int i = 0; i < 3; ++i) first[i].push_back(std::max(0.01, top_share(predicted, all, counts[i])));
  }
  if (q.spaces == 0) return q;
  q.rank_correlation /= q.spaces;
  q.top_1 = bench::geometric_mean(first[0]);
  q.top_5 = bench::geometric_mean(first[1]);
  q.top_10 = bench::geometric_mean(first[2]);
  return q;
}

std::string text_of(const model_quality& q) {
  if (q.spaces == 0) return "no space has a model and enough candidates to rank\n";
  char text[240];
  std::snprintf(
      text, sizeof text,
      "model: rank correlation %.2f in the mean of %d spaces; of the best its first candidate reaches %.1f %%, "
      "the best of its first 5 %.1f %%, of its first 10 %.1f %%\n",
      q.rank_correlation, q.spaces, 100 * q.top_1, 100 * q.top_5, 100 * q.top_10);
  return text;
}

random_report rarity_in(const recording& r) {
  search_result all;
  for (const recorded_space& s : r.spaces) {
    const double best = best_seconds(s);
    if (!std::isfinite(best)) continue;
    for (const recorded_candidate& c : s.candidates)
      all.all.push_back({int(all.all.size()), c.how, c.reason, {c.how == outcome::ok ? true_seconds(c) / best : 1}});
  }
  return report_on(all, int(all.all.size()));
}

}  // namespace tessera::tune
