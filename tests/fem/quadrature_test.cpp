// SPDX-License-Identifier: BSD-3-Clause
// Tests the Gauss and Gauss-Lobatto rules: exactness, points, weights, symmetry, errors.
#include "testing/at.hpp"
#include "testing/catch.hpp"

#include <tessera/error.hpp>
#include <tessera/fem/quadrature.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using tessera::fem::gauss;
using tessera::fem::gauss_lobatto;
using tessera::fem::quadrature_rule;
using tessera::testing::at;

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

struct named_rule {
  quadrature_rule rule;
  int points;
  bool lobatto;
  std::string name;
  int exact_degree() const { return 2 * points - (lobatto ? 3 : 1); }
};

std::vector<named_rule> all_rules() {
  std::vector<named_rule> rules;
  for (int n = 1; n <= tessera::fem::max_quadrature_points; ++n) {
    rules.push_back({gauss(n), n, false, "gauss " + std::to_string(n)});
    if (n > 1) rules.push_back({gauss_lobatto(n), n, true, "gauss_lobatto " + std::to_string(n)});
  }
  return rules;
}

/// An unevaluated sum of two doubles, some 32 digits on every platform.
struct pair {
  double first, second;
};

pair sum_of(double a, double b) {
  const double sum = a + b;
  const double rest = sum - a;
  return {sum, (a - (sum - rest)) + (b - rest)};
}

pair add(pair a, pair b) {
  const pair high = sum_of(a.first, b.first);
  return sum_of(high.first, high.second + (a.second + b.second));
}

pair multiply(pair a, pair b) {
  const double product = a.first * b.first;
  const double rest = std::fma(a.first, b.first, -product);
  return sum_of(product, rest + (a.first * b.second + a.second * b.first));
}

/// j! P_j(1 - 2x) for j = 0 .. n+1. With this scale the recurrence needs no division.
std::vector<pair> scaled_legendre(int n, pair x) {
  const pair t = add({1.0, 0.0}, multiply({-2.0, 0.0}, x));
  std::vector<pair> values{{1.0, 0.0}, t};
  for (int k = 1; k <= n; ++k)
    values.push_back(add(multiply({2.0 * k + 1.0, 0.0}, multiply(t, values.back())),
                         multiply({-1.0 * k * k, 0.0}, values[values.size() - 2])));
  return values;
}

/// P_j(1 - 2x) for j = 0 .. n+1; on [0,1] their squared norms are 1 / (2j+1).
std::vector<double> legendre(int n, double x) {
  std::vector<double> values;
  double factorial = 1.0;
  for (const pair& scaled : scaled_legendre(n, {x, 0.0})) {
    values.push_back(scaled.first / factorial);
    factorial *= static_cast<double>(values.size());
  }
  return values;
}

/// Whether the polynomial whose roots the rule is made of is positive at x: P_n (Gauss), or
/// P_{m+1} - P_{m-1}, a multiple of t^2 - 1 times P_m', with m = n-1 (Lobatto).
bool residual_is_positive(const named_rule& r, pair x) {
  const std::vector<pair> p = scaled_legendre(r.points, x);
  const int n = r.points;
  if (!r.lobatto) return p[at(n)].first > 0.0;
  return add(p[at(n)], multiply({-1.0 * n * (n - 1), 0.0}, p[at(n - 2)])).first > 0.0;
}

template <class Function>
double integrate(const quadrature_rule& rule, Function f) {
  double sum = 0.0;
  for (std::size_t k = 0; k < rule.points.size(); ++k) sum += rule.weights[k] * f(rule.points[k]);
  return sum;
}

}  // namespace

TEST_CASE("quadrature integrates monomials exactly", "[fem]") {
  for (const named_rule& r : all_rules())
    for (int j = 0; j <= r.exact_degree(); ++j) {
      INFO(r.name << ", degree " << j);
      // A point has relative error below 2 units, a weight 1, pow 1, the sum n.
      const double bound = (2 * j + r.points + 3) * unit_roundoff / (j + 1);
      const double integral = integrate(r.rule, [j](double x) { return std::pow(x, j); });
      CHECK(std::abs(integral - 1.0 / (j + 1)) <= bound);
    }
}

TEST_CASE("quadrature integrates Legendre polynomials exactly, up to its degree only", "[fem]") {
  for (const named_rule& r : all_rules()) {
    for (int j = 1; j <= r.exact_degree() + 1; ++j) {
      INFO(r.name << ", degree " << j);
      const double integral = integrate(r.rule, [j](double x) { return legendre(j, x)[at(j)]; });
      // Points are off by a unit at most and the total variation of P_j is below 2j.
      if (j <= r.exact_degree())
        CHECK(std::abs(integral) <= (2 * j + r.points + 3) * unit_roundoff);
      else
        CHECK(std::abs(integral) > 0.05);
    }
  }
}

TEST_CASE("quadrature points ascend, mirror each other and fill the interval", "[fem]") {
  for (const named_rule& r : all_rules()) {
    INFO(r.name);
    const auto& [points, weights] = r.rule;
    REQUIRE(points.size() == at(r.points));
    REQUIRE(weights.size() == points.size());
    if (r.lobatto)
      CHECK((points.front() == 0.0 && points.back() == 1.0));
    else
      CHECK((points.front() > 0.0 && points.back() < 1.0));
    pair sum{0.0, 0.0};
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::size_t mirror = points.size() - 1 - k;
      if (k > 0) CHECK(points[k - 1] < points[k]);
      if (k <= mirror) CHECK(points[mirror] == 1.0 - points[k]);
      CHECK(weights[mirror] == weights[k]);
      CHECK(weights[k] > 0.0);
      sum = add(sum, {weights[k], 0.0});
    }
    // Weights are correctly rounded, so that their exact sum is off by half an ulp of 1 at most.
    CHECK(std::abs((sum.first - 1.0) + sum.second) <= unit_roundoff);
  }
}

TEST_CASE("quadrature points are within rounding of roots of Legendre polynomials", "[fem]") {
  for (const named_rule& r : all_rules())
    for (std::size_t k = 0; k < r.rule.points.size(); ++k) {
      const double x = r.rule.points[k];
      if (x == 0.0 || x == 1.0) continue;
      INFO(r.name << ", point " << k);
      // The exact root lies where the sign changes. Up to 1/2 points are correctly rounded, and
      // 1 - x adds at most one more rounding error of half a unit in the last place.
      const double ulp = x - std::nextafter(x, 0.0);
      const double error = x <= 0.5 ? 0.5 * ulp : ulp;
      CHECK(residual_is_positive(r, {x, -error}) != residual_is_positive(r, {x, error}));
    }
}

TEST_CASE("quadrature weights are the reciprocal Christoffel sums", "[fem]") {
  for (const named_rule& r : all_rules())
    for (int k = 0; 2 * k < r.points; ++k) {
      INFO(r.name << ", point " << k);
      // 1/w is the sum of squares of the discretely orthonormal polynomials, and of P_m the
      // Lobatto rule takes the squared norm to be 1/m. No term is negative.
      const int m = r.points - 1;
      const std::vector<double> p = legendre(r.points, r.rule.points[at(k)]);
      double sum = (r.lobatto ? m : 2 * m + 1) * p[at(m)] * p[at(m)];
      for (int j = 0; j < m; ++j) sum += (2 * j + 1) * p[at(j)] * p[at(j)];
      CHECK(std::abs(r.rule.weights[at(k)] * sum - 1.0) <= 2 * (r.points + 3) * unit_roundoff);
    }
}

TEST_CASE("quadrature agrees with published points and weights", "[fem]") {
  // Abramowitz and Stegun, tables 25.4 and 25.6, moved to [0,1]: the points up to 1/2.
  const std::vector<std::pair<quadrature_rule, quadrature_rule>> published_rules{
      {gauss(1), {{0.5}, {1.0}}},
      {gauss(2), {{0.21132486540518711775}, {0.5}}},
      {gauss(3), {{0.11270166537925831148, 0.5}, {0.27777777777777777778, 0.44444444444444444444}}},
      {gauss(5),
       {{0.04691007703066800360, 0.23076534494715845448, 0.5},
        {0.11846344252809454376, 0.23931433524968323402, 0.28444444444444444444}}},
      {gauss_lobatto(2), {{0.0}, {0.5}}},
      {gauss_lobatto(3), {{0.0, 0.5}, {0.16666666666666666667, 0.66666666666666666667}}},
      {gauss_lobatto(5), {{0.0, 0.17267316464601142810, 0.5}, {0.05, 0.27222222222222222222, 0.35555555555555555556}}},
      {gauss_lobatto(6),
       {{0.0, 0.11747233803526765357, 0.35738424175967745184},
        {0.033333333333333333333, 0.18923747814892349016, 0.27742918851774317651}}}};
  for (const auto& [rule, published] : published_rules)
    for (std::size_t k = 0; k < published.points.size(); ++k) {
      INFO(rule.points.size() << " points, point " << k);
      CHECK(rule.points[k] == published.points[k]);
      CHECK(rule.weights[k] == published.weights[k]);
    }
}

TEST_CASE("quadrature refuses impossible numbers of points", "[fem]") {
  const auto message = [](quadrature_rule (*make)(int), int points) -> std::string {
    try {
      make(points);
    } catch (const tessera::error& e) {
      return e.what();
    }
    return "no error";
  };
  for (const int points : {-1, 0, 41, 1000}) {
    const std::string complaint = ": no rule with " + std::to_string(points) + " points; ";
    CHECK(message(gauss, points).find("gauss" + complaint) == 0);
    CHECK(message(gauss_lobatto, points).find("gauss_lobatto" + complaint) == 0);
  }
  CHECK(message(gauss_lobatto, 1) == "gauss_lobatto: no rule with 1 points; the number of points must be 2 to 40");
  CHECK(message(gauss, 1) == "no error");
}
