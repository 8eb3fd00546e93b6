// SPDX-License-Identifier: BSD-3-Clause
// Known answers of the benchmark's statistics.
#include "measure/statistics.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

bool near(double a, double b, double tolerance = 1e-14) { return std::abs(a - b) <= tolerance * std::abs(b); }

}  // namespace

TEST_CASE("median of odd, even, single and no samples") {
  CHECK(bench::median({5, 1, 3}) == 3);
  CHECK(bench::median({4, 1, 3, 2}) == 2.5);
  CHECK(bench::median({7}) == 7);
  CHECK(std::isnan(bench::median({})));
}

TEST_CASE("MAD ignores an outlier") {
  // Median 2; deviations 1 1 0 0 2 4 7, whose median is 1.
  CHECK(bench::median_absolute_deviation({1, 1, 2, 2, 4, 6, 9}) == 1);
  CHECK(bench::median_absolute_deviation({10, 10, 10, 10, 1e9}) == 0);
}

TEST_CASE("quantiles interpolate between order statistics") {
  CHECK(bench::quantile({4, 1, 2, 3}, 0) == 1);
  CHECK(bench::quantile({4, 1, 2, 3}, 1) == 4);
  CHECK(bench::quantile({4, 1, 2, 3}, 0.5) == 2.5);
  CHECK(near(bench::quantile({0, 10}, 0.025), 0.25));
}

TEST_CASE("summary: sigma is 1.4826 MAD and the relative spread is sigma over the median") {
  const bench::summary s = bench::summarise({1, 1, 2, 2, 4, 6, 9});
  CHECK(s.median == 2);
  CHECK(s.mad == 1);
  CHECK(s.min == 1);
  CHECK(s.max == 9);
  CHECK(s.reps == 7);
  CHECK(near(s.sigma, 1.4826));
  CHECK(near(s.rrs, 0.7413));
}

TEST_CASE("bootstrap interval: degenerate, seeded, and around the median") {
  const bench::interval same = bench::bootstrap_median({3, 3, 3, 3});
  CHECK(same.low == 3);
  CHECK(same.high == 3);

  std::vector<double> samples;
  for (int i = 1; i <= 101; ++i) samples.push_back(i);
  const bench::interval one = bench::bootstrap_median(samples), again = bench::bootstrap_median(samples);
  CHECK(one.low == again.low);
  CHECK(one.high == again.high);
  CHECK(one.low < 51);
  CHECK(one.high > 51);
  // Normal approximation of the order statistics: 51 -+ 1.96 sqrt(101) / 2 = 41.2 .. 60.8.
  CHECK(std::abs(one.low - 41.2) <= 4);
  CHECK(std::abs(one.high - 60.8) <= 4);
}

TEST_CASE("repetition rule: a minimum, more while the spread is large, a maximum") {
  const bench::repetition_rule rule{.least = 3, .most = 6, .largest_rrs = 0.02};
  CHECK(rule.wants_more({1, 1}));
  CHECK_FALSE(rule.wants_more({1, 1, 1}));
  CHECK_FALSE(rule.wants_more({1, 1.01, 1}));
  CHECK(rule.wants_more({1, 1.1, 1.2}));
  CHECK_FALSE(rule.wants_more({1, 1.1, 1.2, 1.3, 1.4, 1.5}));
}

TEST_CASE("geometric mean") {
  CHECK(near(bench::geometric_mean({1, 4}), 2));
  CHECK(near(bench::geometric_mean({0.5, 2, 8}), 2));
  CHECK(bench::geometric_mean({}) == 0);
}
