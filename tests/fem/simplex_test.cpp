// SPDX-License-Identifier: BSD-3-Clause
// Quadrature and polynomials on simplices against closed forms.
#include "testing/failure.hpp"

#include <tessera/fem/simplex.hpp>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::fem;
using tessera::testing::check_failure;

// x1^a1 x2^a2 x3^a3
using exponents = std::array<int, 3>;

std::vector<exponents> monomials(int dim, int degree) {
  std::vector<exponents> all;
  for (int c = 0; c <= (dim > 2 ? degree : 0); ++c)
    for (int b = 0; b <= (dim > 1 ? degree - c : 0); ++b)
      for (int a = 0; a <= degree - b - c; ++a) all.push_back({a, b, c});
  return all;
}

double value(const exponents& e, std::span<const double> x) {
  double product = 1;
  for (std::size_t a = 0; a < x.size(); ++a) product *= std::pow(x[a], e[a]);
  return product;
}
double slope(exponents e, std::size_t a, std::span<const double> x) {
  const int n = e[a]--;
  return n == 0 ? 0.0 : n * value(e, x);
}

// Its integral over the unit simplex: a1! a2! a3! / (a1 + a2 + a3 + dim)!
double integral(const exponents& e, int dim) {
  const double sum = e[0] + e[1] + e[2] + dim;
  return std::exp(std::lgamma(e[0] + 1) + std::lgamma(e[1] + 1) + std::lgamma(e[2] + 1) - std::lgamma(sum + 1));
}

std::span<const double> point_of(std::span<const double> points, int dim, int k) {
  return points.subspan(static_cast<std::size_t>(dim * k), static_cast<std::size_t>(dim));
}

}  // namespace

TEST_CASE("simplex rules integrate what they promise, with points inside and positive weights", "[fem][simplex]") {
  for (int dim = 1; dim <= 3; ++dim)
    for (const int n : {1, 2, 3, 4, 5, 8, 13}) {
      const point_rule rule = simplex_rule(dim, n);
      CHECK(rule.size() == static_cast<int>(std::pow(n, dim)));
      CHECK(rule.points.size() == rule.weights.size() * static_cast<std::size_t>(dim));
      for (int k = 0; k < rule.size(); ++k) {
        const auto x = point_of(rule.points, dim, k);
        double left = 1;
        for (const double coordinate : x) {
          CHECK(coordinate > 0);
          left -= coordinate;
        }
        CHECK(left > 0);
        CHECK(rule.weights[static_cast<std::size_t>(k)] > 0);
      }
      for (const exponents& e : monomials(dim, 2 * n - 1)) {
        double sum = 0;
        for (int k = 0; k < rule.size(); ++k)
          sum += rule.weights[static_cast<std::size_t>(k)] * value(e, point_of(rule.points, dim, k));
        CHECK(std::abs(sum - integral(e, dim)) <= 1e-13 * integral(e, dim));
      }
    }
  const point_rule most = simplex_rule(3, max_quadrature_points);
  CHECK(std::abs(std::accumulate(most.weights.begin(), most.weights.end(), 0.0) - 1.0 / 6) <= 1e-14);
}

TEST_CASE("simplex rules are not exact beyond their degree", "[fem][simplex]") {
  const point_rule rule = simplex_rule(2, 2);
  double sum = 0;
  for (int k = 0; k < rule.size(); ++k)
    sum += rule.weights[static_cast<std::size_t>(k)] * value({4, 0, 0}, point_of(rule.points, 2, k));
  CHECK(std::abs(sum - integral({4, 0, 0}, 2)) > 1e-5);
}

TEST_CASE("simplex bases are 1 at their own node and 0 at the others", "[fem][simplex]") {
  for (int dim = 1; dim <= 3; ++dim)
    for (int order = 1; order <= max_simplex_order; ++order) {
      const simplex_basis functions(basis_kind::gauss_lobatto, dim, order);
      INFO(dim << "-D, order " << order);
      CHECK(functions.size() == static_cast<int>(monomials(dim, order).size()));
      std::vector<double> values(static_cast<std::size_t>(functions.size()));
      double worst = 0;
      for (int k = 0; k < functions.size(); ++k) {
        functions.evaluate(point_of(functions.nodes(), dim, k), values);
        for (int i = 0; i < functions.size(); ++i)
          worst = std::max(worst, std::abs(values[static_cast<std::size_t>(i)] - (i == k ? 1.0 : 0.0)));
      }
      CHECK(worst <= 1e-12);
    }
}

TEST_CASE("simplex bases have polynomials of their order, with their derivatives", "[fem][simplex]") {
  for (int dim = 1; dim <= 3; ++dim)
    for (const int order : {1, 2, 3, 5, 8, 10}) {
      const simplex_basis functions(basis_kind::gauss_lobatto, dim, order);
      const point_rule rule = simplex_rule(dim, 3);
      const dense_basis tables = tabulate(functions, rule);
      const std::size_t q = rule.weights.size(), n = static_cast<std::size_t>(functions.size());
      double worst = 0;
      for (const exponents& e : monomials(dim, order))
        for (std::size_t k = 0; k < q; ++k) {
          const auto x = point_of(rule.points, dim, static_cast<int>(k));
          double sum = 0;
          std::array<double, 3> slopes{};
          for (std::size_t i = 0; i < n; ++i) {
            const double at_node = value(e, point_of(functions.nodes(), dim, static_cast<int>(i)));
            sum += tables.values[k + q * i] * at_node;
            for (std::size_t a = 0; a < x.size(); ++a) slopes[a] += tables.gradients[k + q * (i + n * a)] * at_node;
          }
          worst = std::max(worst, std::abs(sum - value(e, x)));
          for (std::size_t a = 0; a < x.size(); ++a)
            worst = std::max(worst, std::abs(slopes[a] - slope(e, a, x)) / order);
        }
      INFO(dim << "-D, order " << order << ", error " << worst);
      CHECK(worst <= 1e-12);
    }
}

TEST_CASE("nodes of a simplex: corners first in order 1, Gauss-Lobatto points on edges", "[fem][simplex]") {
  const simplex_basis corners(basis_kind::gauss_lobatto, 3, 1);
  CHECK(std::vector<double>(corners.nodes().begin(), corners.nodes().end()) ==
        std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  const int order = 5;
  const simplex_basis functions(basis_kind::gauss_lobatto, 3, order);
  const std::vector<double> line = gauss_lobatto(order + 1).points;
  for (int i = 0; i <= order; ++i)
    CHECK(std::abs(point_of(functions.nodes(), 3, i)[0] - line[static_cast<std::size_t>(i)]) <= 1e-15);
  // The longest edge, i1 + i2 = order: a row of i2 ends there.
  for (int i2 = 0, last = order; i2 <= order; ++i2, last += order + 1 - i2) {
    const auto x = point_of(functions.nodes(), 3, last);
    CHECK(std::abs(x[1] - line[static_cast<std::size_t>(i2)]) <= 1e-15);
    CHECK(std::abs(x[0] + x[1] - 1) <= 1e-15);
  }
}

TEST_CASE("Bernstein polynomials on simplices: not negative, their sum 1, linear functions from control points",
          "[fem][simplex]") {
  for (int dim = 1; dim <= 3; ++dim) {
    const simplex_basis functions(basis_kind::bernstein, dim, 4);
    const point_rule rule = simplex_rule(dim, 4);
    const dense_basis tables = tabulate(functions, rule);
    const std::size_t q = rule.weights.size(), n = static_cast<std::size_t>(functions.size());
    for (std::size_t k = 0; k < q; ++k) {
      double sum = 0, first = 0, slopes = 0, first_slope = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double control = functions.nodes()[i * static_cast<std::size_t>(dim)];
        CHECK(tables.values[k + q * i] >= 0);
        sum += tables.values[k + q * i];
        first += tables.values[k + q * i] * control;
        slopes += tables.gradients[k + q * i];
        first_slope += tables.gradients[k + q * i] * control;
      }
      CHECK(std::abs(sum - 1) <= 1e-14);
      CHECK(std::abs(first - rule.points[k * static_cast<std::size_t>(dim)]) <= 1e-14);
      CHECK(std::abs(slopes) <= 1e-13);
      CHECK(std::abs(first_slope - 1) <= 1e-13);
    }
  }
}

TEST_CASE("simplices: what there is not is refused", "[fem][simplex]") {
  check_failure(status::invalid_argument, {"simplex_rule", "dimension 4"}, [] { simplex_rule(4, 2); });
  check_failure(status::invalid_argument, {"gauss", "0 points"}, [] { simplex_rule(2, 0); });
  check_failure(status::invalid_argument, {"no gauss"}, [] { simplex_basis(basis_kind::gauss, 2, 2); });
  check_failure(status::invalid_argument, {"order 11", "1 to 10"},
                [] { simplex_basis(basis_kind::gauss_lobatto, 2, 11); });
  check_failure(status::shape_mismatch, {"evaluate", "2 coordinates", "3 and 4"}, [] {
    const std::vector<double> x(2);
    std::vector<double> values(4);
    simplex_basis(basis_kind::gauss_lobatto, 3, 1).evaluate(x, values);
  });
  check_failure(status::shape_mismatch, {"a basis in 3 dimensions, points in 2"},
                [] { tabulate(simplex_basis(basis_kind::gauss_lobatto, 3, 1), simplex_rule(2, 2)); });
}
