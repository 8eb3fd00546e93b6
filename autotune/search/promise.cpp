// SPDX-License-Identifier: BSD-3-Clause
// Corrected predictions.
#include "search/promise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "statistics.hpp"

namespace tessera::tune {

namespace {

constexpr double per_difference = 0.5;  // how much less a candidate tells about another for each axis that differs
constexpr double doubt = 0.3;           // the weight of "no correction"

double likeness(const std::vector<int>& a, const std::vector<int>& b) {
  double weight = 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) weight *= per_difference;
  return weight;
}

struct surprise {
  int candidate;
  double log_ratio;  // measured over predicted
};

}  // namespace

std::vector<int> most_promising(const search_problem& p, const search_result& so_far, int count) {
  const auto log_prediction = [&](int c) { return p.predicted.empty() ? 0 : std::log(p.predicted[std::size_t(c)]); };
  std::vector<char> was_measured(std::size_t(p.candidates), 0);
  std::vector<surprise> known;
  double mean = 0;
  for (const tried& t : so_far.all) {
    was_measured[std::size_t(t.candidate)] = 1;
    if (t.how != outcome::ok) continue;
    known.push_back({t.candidate, std::log(bench::median(t.seconds)) - log_prediction(t.candidate)});
    mean += known.back().log_ratio;
  }
  mean /= double(std::max<std::size_t>(1, known.size()));
  std::vector<std::pair<double, int>> order;
  for (int c = 0; c < p.candidates; ++c) {
    if (was_measured[std::size_t(c)]) continue;
    double correction = 0, weights = doubt;
    if (!p.points.empty())
      for (const surprise& s : known) {
        const double weight = likeness(p.points[std::size_t(c)], p.points[std::size_t(s.candidate)]);
        correction += weight * (s.log_ratio - mean);
        weights += weight;
      }
    order.emplace_back(log_prediction(c) + correction / weights, c);
  }
  std::sort(order.begin(), order.end());
  std::vector<int> chosen;
  for (const auto& [seconds, candidate] : order)
    if (int(chosen.size()) < count) chosen.push_back(candidate);
  return chosen;
}

}  // namespace tessera::tune
