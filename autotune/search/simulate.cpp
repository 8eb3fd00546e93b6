// SPDX-License-Identifier: BSD-3-Clause
// Strategies on recorded spaces.
#include "search/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "search/selection.hpp"
#include "statistics.hpp"

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
  std::vector<double> reached;
  long measured = 0, candidates = 0;
  for (const simulated_search& each : searches) {
    reached.push_back(each.reached);
    measured += each.measured;
    candidates += each.candidates;
    s.failed += each.failed;
  }
  s.reached = bench::geometric_mean(reached);
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
  std::vector<simulated_strategy> results;
  for (const named_strategy& s : strategies()) {
    std::vector<simulated_search> searches;
    for (const recorded_space& on : r.spaces) {
      if (!std::isfinite(best_seconds(on)) || (s.name == "model_first" && !is_modelled(problem_of(on)))) continue;
      searches.push_back(simulate(s, on, o, how));
    }
    results.push_back(summed(std::string(s.name), std::move(searches)));
  }
  return results;
}

std::string text_of(const std::vector<simulated_strategy>& results) {
  std::string text = "strategy       spaces   of the best: mean    least   candidates measured   failed   samples\n";
  for (const simulated_strategy& s : results) {
    long samples = 0;
    for (const simulated_search& each : s.searches) samples += each.samples;
    char line[160];
    std::snprintf(line, sizeof line, "%-14s %6zu   %15.2f %%   %5.1f %%   %17.1f %%   %6d   %7ld\n", s.name.c_str(),
                  s.searches.size(), 100 * s.reached, 100 * s.worst, 100 * s.share, s.failed, samples);
    text += line;
  }
  return text;
}

}  // namespace tessera::tune
