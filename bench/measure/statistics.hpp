// SPDX-License-Identifier: BSD-3-Clause
// Robust statistics of repeated timings: median, MAD, bootstrap interval, and the rule for more repetitions.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::bench {

/// Scales a MAD to the standard deviation of normally distributed samples.
inline constexpr double mad_to_sigma = 1.4826;

/// The middle sample, or the mean of the two middle ones; NaN for no samples.
double median(std::vector<double> samples);

/// median(|t - median(t)|)
double median_absolute_deviation(const std::vector<double>& samples);

/// Linear interpolation between order statistics, q in [0, 1] (rank q (n - 1)).
double quantile(std::vector<double> samples, double q);

struct interval {
  double low = 0, high = 0;
};

/// Percentile bootstrap interval of the median; the same seed gives the same interval.
interval bootstrap_median(const std::vector<double>& samples, int resamples = 1000, double confidence = 0.95,
                          std::uint64_t seed = 1);

struct summary {
  double median = 0, mad = 0, min = 0, max = 0;
  double sigma = 0;  // 1.4826 mad
  double rrs = 0;    // robust relative spread, sigma / median
  interval ci95;
  int reps = 0;
};

summary summarise(const std::vector<double>& samples);

/// When a measurement has enough samples: at least `least`, and more while the spread is large, up to `most`.
struct repetition_rule {
  int least = 15;
  int most = 60;
  double largest_rrs = 0.02;

  bool wants_more(const std::vector<double>& samples) const;
};

/// 0 for an empty list.
double geometric_mean(const std::vector<double>& values);

}  // namespace tessera::bench
