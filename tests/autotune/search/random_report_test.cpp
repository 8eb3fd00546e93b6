// SPDX-License-Identifier: BSD-3-Clause
// Known answers of the report on random sampling.
#include "search/random_report.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace tune = tessera::tune;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

tune::search_result sampled(const std::vector<double>& seconds) {
  tune::search_result r;
  for (const double s : seconds) {
    tune::tried t;
    t.candidate = int(r.all.size());
    if (s > 0)
      t.seconds = {s};
    else
      t.how = tune::outcome::crashed;
    r.all.push_back(t);
  }
  return r;
}

}  // namespace

TEST_CASE("expected draws until a good candidate comes") {
  // 10 of 10 measured: fractions 1, 0.99, 0.5 x 7 and a failure.
  const tune::random_report r = tune::report_on(sampled({2, 1.98, 3.96, 3.96, 3.96, 3.96, 3.96, 3.96, 3.96, 0}), 10);
  CHECK(r.candidates == 10);
  CHECK(r.measured == 10);
  CHECK(r.failed == 1);
  CHECK(r.fractions.front() == 0);
  CHECK(r.fractions.back() == 1);
  REQUIRE(r.levels.size() == 7);
  CHECK(near(r.levels[0].below, 0.9));
  CHECK(near(r.levels[0].expected_tests, 11.0 / 2));  // one good of ten: the middle
  CHECK(r.levels[0].worst_tests == 10);
  CHECK(near(r.levels[1].below, 0.8));  // 1.98 / 2 is just within 1 %
  CHECK(near(r.levels[2].below, 0.8));
  CHECK(near(r.levels[2].expected_tests, 11.0 / 3));
  CHECK(r.levels[2].worst_tests == 9);
  CHECK(near(r.levels[6].below, 0.1));  // exactly half as fast counts
  CHECK(near(r.levels[6].expected_tests, 11.0 / 10));
}

TEST_CASE("a sample stands for its space") {
  // A contraction with 331 000 candidates of which 62 % are good: 1.61 tests on average, 125 781 at most.
  std::vector<double> seconds(62, 1.0);
  seconds.resize(100, 10.0);
  const tune::random_report r = tune::report_on(sampled(seconds), 331000);
  CHECK(near(r.levels[0].below, 0.38));
  CHECK(std::abs(r.levels[0].expected_tests - 1.61) < 0.005);
  CHECK(r.levels[0].worst_tests == 125781);
}

TEST_CASE("enough draws: three times as many as are expected until a good one comes") {
  const tune::enough_draws rule{.within = 0.05};
  // Where g of n are good, about n / g draws are expected in a large space.
  const auto enough = [&](int good, int measured, int candidates) {
    std::vector<double> seconds(std::size_t(good), 1.04);
    seconds.front() = 1;
    seconds.resize(std::size_t(measured), 1.2);
    return tune::are_enough(tune::report_on(sampled(seconds), candidates), rule);
  };
  CHECK_FALSE(enough(1, 1000, 1000000000));
  CHECK_FALSE(enough(2, 1000, 1000000000));
  CHECK(enough(3, 1000, 1000000000));
  CHECK(enough(4, 16, 1000000000));
  CHECK_FALSE(enough(1, 1000, 2000));
  CHECK(enough(1, 1000, 1000));  // all
  CHECK_FALSE(tune::are_enough(tune::report_on(sampled({0, 0}), 2), rule));
  const tune::random_report r = tune::report_on(sampled({1, 1.04, 1.2, 2}), 4);
  CHECK(near(tune::rarity_at(0.05, r).expected_tests, 5.0 / 3));
}

TEST_CASE("nothing measured, or nothing that works") {
  CHECK(tune::report_on({}, 5).levels.empty());
  const tune::random_report r = tune::report_on(sampled({0, 0}), 5);
  CHECK(r.levels[0].below == 1);
  CHECK(r.levels[0].expected_tests == 6);
  CHECK(tune::text_of(r).find("2 of 5 candidates measured, 2 of them failed") != std::string::npos);
}
