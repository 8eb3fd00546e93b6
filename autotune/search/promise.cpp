// SPDX-License-Identifier: BSD-3-Clause
// Corrected predictions: the model's errors so far, fitted by one term for each value of each axis.
#include "search/promise.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "measure/statistics.hpp"
#include "search/selection.hpp"

namespace tessera::tune {

namespace {

// Prior strength of a term in samples, for each axis that could explain the same error: with so many samples half of
// the error is attributed to it.
constexpr double doubt = 0.5;
constexpr int sweeps = 30;

struct surprise {
  int candidate;
  double log_ratio;  // measured over predicted, less the mean of all
};

class correction {
 public:
  correction(const std::vector<std::vector<int>>& points, const std::vector<surprise>& known) : points_(points) {
    if (points.empty()) return;
    for (std::size_t a = 0; a < points.front().size(); ++a) {
      const auto differs = [&](const std::vector<int>& p) { return p.at(a) != points.front()[a]; };
      if (std::any_of(points.begin(), points.end(), differs)) terms_[a];
    }
    // Ridge regression by Gauss-Seidel: axis by axis, fitted to the residual of the other axes.
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (auto& [axis, values] : terms_) fit(axis, values, known);
  }

  double of(int candidate) const {
    double sum = 0;
    for (const auto& [axis, values] : terms_) {
      const auto term = values.find(points_[std::size_t(candidate)][axis]);
      if (term != values.end()) sum += term->second;
    }
    return sum;
  }

 private:
  void fit(std::size_t axis, std::map<int, double>& values, const std::vector<surprise>& known) {
    std::map<int, std::pair<double, int>> left;  // value -> residual, number of samples
    for (const surprise& s : known) {
      const int value = points_[std::size_t(s.candidate)][axis];
      auto& [sum, count] = left[value];
      sum += s.log_ratio - of(s.candidate) + values[value];
      ++count;
    }
    for (const auto& [value, each] : left) values[value] = each.first / (each.second + doubt * double(terms_.size()));
  }

  const std::vector<std::vector<int>>& points_;
  std::map<std::size_t, std::map<int, double>> terms_;  // axis -> value -> term
};

}  // namespace

std::vector<int> most_promising(const search_problem& p, const search_result& so_far, int count) {
  const bool has_model = is_modelled(p);
  const auto log_prediction = [&](int c) { return has_model ? std::log(p.predicted[std::size_t(c)]) : 0; };
  std::vector<char> was_measured(std::size_t(p.candidates), 0);
  std::vector<surprise> known;
  double mean = 0;
  for (const tried& t : so_far.all) {
    was_measured[std::size_t(t.candidate)] = 1;
    if (t.how != outcome::ok) continue;
    known.push_back({t.candidate, std::log(bench::median(t.seconds)) - log_prediction(t.candidate)});
    mean += known.back().log_ratio;
  }
  for (surprise& s : known) s.log_ratio -= mean / double(known.size());

  const correction learnt(p.points, known);
  std::vector<std::pair<double, int>> order;
  for (int c = 0; c < p.candidates; ++c)
    if (!was_measured[std::size_t(c)]) order.emplace_back(log_prediction(c) + learnt.of(c), c);
  std::sort(order.begin(), order.end());
  std::vector<int> chosen;
  for (int i = 0; i < std::min(count, int(order.size())); ++i) chosen.push_back(order[std::size_t(i)].second);
  return chosen;
}

}  // namespace tessera::tune
