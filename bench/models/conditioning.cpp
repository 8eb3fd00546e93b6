// SPDX-License-Identifier: BSD-3-Clause
// Bounds and condition numbers of sums.
#include "models/conditioning.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

double over(double magnitudes, double sum) {
  if (magnitudes == 0) throw error("condition number: all terms are 0");
  return sum == 0 ? std::numeric_limits<double>::infinity() : magnitudes / std::abs(sum);
}

}  // namespace

double rounding_bound(double terms, double unit_roundoff) {
  require_not_negative("rounding", "the number of terms", terms);
  require_positive("rounding", "the unit roundoff", unit_roundoff);
  const double sum = terms * unit_roundoff;
  if (!(sum < 1)) refuse("rounding", "terms times unit roundoff", sum, "below 1");
  return sum / (1 - sum);
}

double sum_condition(double x, double y) { return over(std::abs(x) + std::abs(y), x + y); }

double dot_condition(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size())
    throw error("condition number: a product of " + std::to_string(x.size()) + " numbers with " +
                std::to_string(y.size()));
  double magnitudes = 0, sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    magnitudes += std::abs(x[i] * y[i]);
    sum += x[i] * y[i];
  }
  return over(magnitudes, sum);
}

}  // namespace tessera::bench::models
