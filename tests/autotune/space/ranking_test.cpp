// SPDX-License-Identifier: BSD-3-Clause
// Rank correlation and the model's reach against values computed by hand.
#include "space/ranking.hpp"

#include <cmath>

#include <limits>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

namespace tessera::tune {
namespace {

bool is_close(double a, double b, double most = 1e-9) { return std::abs(a - b) <= most; }

TEST_CASE("Spearman's correlation of small samples", "[tune]") {
  CHECK(is_close(spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1));
  CHECK(is_close(spearman({1, 2, 3, 4}, {1, 8, 27, 64}), 1));
  CHECK(is_close(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1));
  // One swap of neighbours: 1 - 6 * 2 / (4 * 15)
  CHECK(is_close(spearman({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8));
  // d = 1, -1, 1, -1, 0: 1 - 6 * 4 / (5 * 24)
  CHECK(is_close(spearman({2, 1, 4, 3, 5}, {1, 2, 3, 4, 5}), 0.8));
}

TEST_CASE("Ties share the mean of their ranks", "[tune]") {
  // Ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3: 4.5 / sqrt(4.5 * 5)
  CHECK(is_close(spearman({1, 2, 2, 3}, {1, 2, 3, 4}), 0.948683, 1e-5));
  CHECK(spearman({5, 5, 5}, {1, 2, 3}) == 0);
  CHECK(spearman({}, {}) == 0);
  CHECK(spearman({1}, {1}) == 0);
}

TEST_CASE("The model's first choices reach a share of the best", "[tune]") {
  const std::vector<double> predicted{3, 1, 2, 4}, measured{1.0, 2.0, 1.25, 4.0};
  CHECK(is_close(top_share(predicted, measured, 1), 0.5));
  CHECK(is_close(top_share(predicted, measured, 2), 0.8));
  CHECK(is_close(top_share(predicted, measured, 3), 1));
  CHECK(is_close(top_share(predicted, measured, 100), 1));
  CHECK(top_share(predicted, measured, 0) == 0);
}

TEST_CASE("What was not measured is never the best", "[tune]") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  CHECK(top_share({1, 2, 3}, {none, 2, 1}, 1) == 0);
  CHECK(is_close(top_share({1, 2, 3}, {0, 2, 1}, 2), 0.5));
  CHECK(top_share({}, {}, 5) == 0);
}

TEST_CASE("Lists of different lengths are errors", "[tune]") {
  testing::check_failure(status::shape_mismatch, {"2", "3"}, [] { (void)spearman({1, 2}, {1, 2, 3}); });
  testing::check_failure(status::shape_mismatch, {"1", "0"}, [] { (void)top_share({1}, {}, 1); });
}

}  // namespace
}  // namespace tessera::tune
