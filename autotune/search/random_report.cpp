// SPDX-License-Identifier: BSD-3-Clause
// The empirical distribution of a sample of the space.
#include "search/random_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "measure/statistics.hpp"

namespace tessera::tune {

namespace {

constexpr double levels[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};

rarity rarity_of(double within, const std::vector<double>& fractions, int candidates) {
  rarity r;
  r.within = within;
  const double v = candidates;
  // A fraction of 1 - within may have been rounded down.
  const double least = (1 - within) * (1 - 1e-12);
  const auto reached = std::lower_bound(fractions.begin(), fractions.end(), least);
  r.below = double(reached - fractions.begin()) / double(fractions.size());
  r.expected_tests = (v + 1) / (v * (1 - r.below) + 1);
  r.worst_tests = std::lround(r.below * v) + (r.below < 1 ? 1 : 0);
  return r;
}

}  // namespace

random_report report_on(const search_result& sampled, int candidates) {
  random_report report;
  report.candidates = candidates;
  report.measured = int(sampled.all.size());
  double best = std::numeric_limits<double>::infinity();
  for (const tried& t : sampled.all)
    if (t.how == outcome::ok) best = std::min(best, bench::median(t.seconds));
  for (const tried& t : sampled.all) {
    if (t.how != outcome::ok) ++report.failed;
    report.fractions.push_back(t.how == outcome::ok ? best / bench::median(t.seconds) : 0);
  }
  std::sort(report.fractions.begin(), report.fractions.end());
  if (!report.fractions.empty())
    for (const double within : levels) report.levels.push_back(rarity_of(within, report.fractions, candidates));
  return report;
}

rarity rarity_at(double within, const random_report& r) { return rarity_of(within, r.fractions, r.candidates); }

bool are_enough(const random_report& r, const enough_draws& rule) {
  if (r.measured == r.failed) return false;
  return r.measured >= r.candidates || r.measured >= rule.times * rarity_at(rule.within, r).expected_tests;
}

std::string text_of(const random_report& r) {
  char line[160];
  std::snprintf(line, sizeof line, "%d of %d candidates measured, %d of them failed\n", r.measured, r.candidates,
                r.failed);
  std::string text = line;
  text += "within of best   share of candidates   random tests: expected   at most\n";
  for (const rarity& l : r.levels) {
    std::snprintf(line, sizeof line, "%12.0f %%   %18.2f %%   %22.1f   %7ld\n", 100 * l.within, 100 * (1 - l.below),
                  l.expected_tests, l.worst_tests);
    text += line;
  }
  return text;
}

}  // namespace tessera::tune
