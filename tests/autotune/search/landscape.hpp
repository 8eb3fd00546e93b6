// SPDX-License-Identifier: BSD-3-Clause
// A made-up space with known times, and an evaluator over it with the noise, drift, outliers and faults of a machine.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "evaluator.hpp"
#include "search/recording.hpp"
#include "strategy.hpp"

namespace tessera::testing {

struct landscape {
  std::vector<double> seconds, predicted;
  std::vector<std::vector<int>> points;
  int incumbent = 0;

  tune::search_problem problem() const { return {int(seconds.size()), predicted, incumbent, points}; }
  int best() const;
  /// Best time over that of the candidate, 0 where there is none.
  double reached_by(int candidate) const;
};

/// Four axes that act on the time, in pairs too, above the time that memory needs. The model ignores the pairs and errs
/// in every axis value and in every candidate. There are 1296 points.
struct model_errors {
  double of_values = 0.17, of_candidates = 0.15;
};
landscape make_landscape(int candidates, std::uint64_t seed, model_errors errors = {});

/// Spearman's.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

struct disturbance {
  double noise = 0.01, drift = 0.003;  // relative, of a sample and from round to round
  double outliers = 0.03;              // share of samples that take up to twice as long
  std::uint64_t seed = 1;
  double processes = 0;  // relative, of a candidate in all samples of a process
};

class machine : public tune::evaluator {
 public:
  machine(const landscape& of, disturbance d) : of_(of), how_(d), random_(d.seed) {}

  std::map<int, tune::sample> faults;  // how these candidates fail
  std::map<int, int> prepared, taken;  // times, and samples, of each candidate
  long total = 0;                      // samples
  int renewals = 0;

  void prepare(const std::vector<int>& candidates) override;
  std::vector<tune::sample> round(const std::vector<int>& candidates) override;
  void renew() override;

 private:
  const landscape& of_;
  disturbance how_;
  std::mt19937_64 random_;
  double drifted_ = 0;
  std::map<int, double> of_process_;  // of each candidate
};

/// What the machine measures in so many rounds over all candidates.
tune::recorded_space recorded_from(const landscape& of, disturbance d, int rounds);

}  // namespace tessera::testing
