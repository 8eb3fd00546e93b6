// SPDX-License-Identifier: BSD-3-Clause
// Robust statistics of repeated timings.
#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tessera::bench {

double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = samples.begin() + std::ptrdiff_t(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

double median_absolute_deviation(const std::vector<double>& samples) {
  const double centre = median(samples);
  std::vector<double> deviation(samples);
  for (double& d : deviation) d = std::abs(d - centre);
  return median(std::move(deviation));
}

double quantile(std::vector<double> samples, double q) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(samples.begin(), samples.end());
  const double rank = std::clamp(q, 0.0, 1.0) * double(samples.size() - 1);
  const std::size_t below = std::size_t(rank);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] + (rank - double(below)) * (samples[above] - samples[below]);
}

interval bootstrap_median(const std::vector<double>& samples, int resamples, double confidence, std::uint64_t seed) {
  if (samples.empty()) return {median({}), median({})};
  std::mt19937_64 random(seed);
  std::vector<double> replicate(samples.size()), medians;
  medians.reserve(std::size_t(resamples));
  for (int b = 0; b < resamples; ++b) {
    // The modulo's bias is below 2^-50; unlike the standard distributions it gives the same values with every library.
    for (double& value : replicate) value = samples[random() % samples.size()];
    medians.push_back(median(replicate));
  }
  const double tail = (1 - confidence) / 2;
  return {quantile(medians, tail), quantile(medians, 1 - tail)};
}

summary summarise(const std::vector<double>& samples) {
  summary s;
  s.reps = int(samples.size());
  s.median = median(samples);
  if (samples.empty()) return s;
  s.mad = median_absolute_deviation(samples);
  s.min = *std::min_element(samples.begin(), samples.end());
  s.max = *std::max_element(samples.begin(), samples.end());
  s.sigma = mad_to_sigma * s.mad;
  s.rrs = s.median > 0 ? s.sigma / s.median : 0;
  s.ci95 = bootstrap_median(samples);
  return s;
}

bool repetition_rule::wants_more(const std::vector<double>& samples) const {
  const int count = int(samples.size());
  if (count < least) return true;
  if (count >= most) return false;
  return mad_to_sigma * median_absolute_deviation(samples) > largest_rrs * median(samples);
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (double v : values) sum += std::log(v);
  return std::exp(sum / double(values.size()));
}

}  // namespace tessera::bench
