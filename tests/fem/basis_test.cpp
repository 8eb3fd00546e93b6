// SPDX-License-Identifier: BSD-3-Clause
// Tests the one-dimensional bases and their tables, for every kind and order.
#include "testing/at.hpp"
#include "testing/catch.hpp"

#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using tessera::fem::basis;
using tessera::fem::basis_kind;
using tessera::fem::basis_tables;
using tessera::fem::gauss;
using tessera::fem::gauss_lobatto;
using tessera::fem::quadrature_rule;
using tessera::fem::tabulate;
using tessera::testing::at;

constexpr basis_kind all_kinds[] = {basis_kind::gauss_lobatto, basis_kind::gauss, basis_kind::bernstein};

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::vector<basis> all_bases() {
  std::vector<basis> bases{basis(basis_kind::gauss, 0)};
  for (const basis_kind kind : all_kinds)
    for (int p = 1; p <= tessera::fem::max_order; ++p) bases.emplace_back(kind, p);
  return bases;
}

/// Rules with fewer, as many and more points than functions.
std::vector<quadrature_rule> symmetric_rules(const basis& functions) {
  const int d = functions.size();
  return {gauss(1), gauss(d), gauss(d + 1), gauss_lobatto(d + 1), gauss_lobatto(d + 2)};
}

/// Points without symmetry; the second is so close to a node that dividing by a gap is dangerous.
quadrature_rule asymmetric_rule() {
  return {{0.0, 1e-300, 0.1, 1.0 / 3, 0.5, 0.6, 0.99, 1.0}, std::vector<double>(8, 0.125)};
}

std::string words(const basis& functions) {
  const char* names[] = {"gauss_lobatto", "gauss", "bernstein"};
  return std::string(names[static_cast<int>(functions.kind())]) + " of order " + std::to_string(functions.order());
}

std::vector<double> values_at(const basis& functions, double x) {
  std::vector<double> values(at(functions.size()));
  functions.evaluate(x, values);
  return values;
}

struct polynomial_value {
  double value, slope;
};

/// The Legendre polynomial P_j(2x - 1) and its derivative with respect to x.
polynomial_value legendre(int j, double x) {
  const double t = 2.0 * x - 1.0;
  double value = 1.0, previous = 0.0, slope = 0.0, previous_slope = 0.0;
  for (int k = 0; k < j; ++k) {
    const double next = ((2 * k + 1) * t * value - k * previous) / (k + 1);
    const double next_slope = previous_slope + 2 * (2 * k + 1) * value;
    previous = value;
    value = next;
    previous_slope = slope;
    slope = next_slope;
  }
  return {value, slope};
}

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

/// The coefficients by which the Lagrange functions make P_j and the Bernstein polynomials x^j.
std::vector<double> coefficients(const basis& functions, int j) {
  std::vector<double> c;
  for (int i = 0; i < functions.size(); ++i)
    c.push_back(functions.kind() == basis_kind::bernstein
                    ? (i < j ? 0.0 : binomial(i, j) / binomial(functions.order(), j))
                    : legendre(j, functions.nodes()[at(i)]).value);
  return c;
}

polynomial_value exact(const basis& functions, int j, double x) {
  if (functions.kind() != basis_kind::bernstein) return legendre(j, x);
  return {std::pow(x, j), j == 0 ? 0.0 : j * std::pow(x, j - 1)};
}

/// Row k of a table times coefficients, and the sum of absolute values that bounds its rounding.
struct row_sum {
  double value = 0.0, magnitude = 0.0;
  row_sum(const std::vector<double>& table, const basis_tables& t, int k, const std::vector<double>& c) {
    for (int i = 0; i < t.d; ++i) {
      value += table[at(k + t.q * i)] * c[at(i)];
      magnitude += std::abs(table[at(k + t.q * i)] * c[at(i)]);
    }
  }
};

/// Whether all pivots of the symmetric elimination are positive by more than rounding.
bool is_positive_definite(std::vector<double> m, int d) {
  const std::vector<double> original = m;
  for (int r = 0; r < d; ++r) {
    if (!(m[at(r + d * r)] > d * epsilon * original[at(r + d * r)])) return false;
    for (int i = r + 1; i < d; ++i)
      for (int j = r + 1; j < d; ++j) m[at(i + d * j)] -= m[at(i + d * r)] * m[at(r + d * j)] / m[at(r + d * r)];
  }
  return true;
}

std::vector<double> mass_matrix(const basis& functions, const quadrature_rule& rule) {
  const basis_tables t = tabulate(functions, rule);
  std::vector<double> m(at(t.d * t.d));
  for (int i = 0; i < t.d; ++i)
    for (int j = 0; j < t.d; ++j)
      for (int k = 0; k < t.q; ++k)
        m[at(i + t.d * j)] += t.B[at(k + t.q * i)] * t.B[at(k + t.q * j)] * rule.weights[at(k)];
  return m;
}

/// The exact mass matrix. Gauss: the weights, on the diagonal. Gauss-Lobatto: the weights, less
/// what the rule adds to the squared norm of P_p, which it takes to be 1/p and not 1/(2p+1).
double exact_mass(const basis& functions, int i, int j) {
  const int p = functions.order();
  if (functions.kind() == basis_kind::bernstein)
    return binomial(p, i) * binomial(p, j) / binomial(2 * p, i + j) / (2 * p + 1);
  const bool lobatto = functions.kind() == basis_kind::gauss_lobatto;
  const quadrature_rule rule = lobatto ? gauss_lobatto(p + 1) : gauss(p + 1);
  const double diagonal = i == j ? rule.weights[at(i)] : 0.0;
  if (!lobatto) return diagonal;
  const auto weighted = [&](int k) { return rule.weights[at(k)] * legendre(p, rule.points[at(k)]).value; };
  return diagonal - weighted(i) * weighted(j) * p * (p + 1) / (2 * p + 1);
}

}  // namespace

TEST_CASE("a basis has order + 1 ascending nodes in the unit interval", "[fem]") {
  for (const basis& f : all_bases()) {
    INFO(words(f));
    CHECK(f.size() == f.order() + 1);
    REQUIRE(f.nodes().size() == at(f.size()));
    CHECK(std::adjacent_find(f.nodes().begin(), f.nodes().end(), std::greater_equal<>()) == f.nodes().end());
    const bool at_ends = f.nodes().front() == 0.0 && f.nodes().back() == 1.0;
    CHECK(at_ends == (f.kind() != basis_kind::gauss));
  }
}

TEST_CASE("tables have partition of unity and reproduce polynomials with derivatives", "[fem]") {
  for (const basis& f : all_bases()) {
    std::vector<quadrature_rule> rules = symmetric_rules(f);
    rules.push_back(asymmetric_rule());
    for (const quadrature_rule& rule : rules) {
      const basis_tables t = tabulate(f, rule);
      REQUIRE((t.q == static_cast<int>(rule.points.size()) && t.d == f.size()));
      REQUIRE((t.B.size() == at(t.q * t.d) && t.G.size() == t.B.size()));
      for (int j = 0; j <= f.order(); ++j) {
        const std::vector<double> c = coefficients(f, j);
        for (int k = 0; k < t.q; ++k) {
          INFO(words(f) << ", " << t.q << " points, point " << k << ", degree " << j);
          const polynomial_value expected = exact(f, j, rule.points[at(k)]);
          const row_sum value(t.B, t, k, c), slope(t.G, t, k, c);
          // Products of p factors have errors of some d units; nodes and points, off by one unit
          // themselves, shift a polynomial by its slope, which is j (j+1) at most.
          const double bound = (4 * t.d + j * (j + 1)) * epsilon;
          CHECK(std::abs(value.value - expected.value) <= bound * (value.magnitude + 1));
          CHECK(std::abs(slope.value - expected.slope) <= bound * (slope.magnitude + j));
        }
      }
    }
  }
}

TEST_CASE("Lagrange functions are exactly 1 at their node and 0 at the others", "[fem]") {
  for (const basis& f : all_bases()) {
    if (f.kind() == basis_kind::bernstein) continue;
    INFO(words(f));
    const bool lobatto = f.kind() == basis_kind::gauss_lobatto;
    const basis_tables t = tabulate(f, lobatto ? gauss_lobatto(f.size()) : gauss(f.size()));
    bool exact_table = true, exact_values = true;
    for (int i = 0; i < f.size(); ++i)
      for (int k = 0; k < f.size(); ++k) {
        const double expected = i == k ? 1.0 : 0.0;
        exact_table = exact_table && t.B[at(k + t.q * i)] == expected;
        exact_values = exact_values && values_at(f, f.nodes()[at(k)])[at(i)] == expected;
      }
    CHECK(exact_table);
    CHECK(exact_values);
  }
}

TEST_CASE("Bernstein polynomials are non-negative and interpolate at the ends", "[fem]") {
  for (const basis& f : all_bases()) {
    if (f.kind() != basis_kind::bernstein) continue;
    INFO(words(f));
    for (int k = 0; k <= 100; ++k) {
      const std::vector<double> values = values_at(f, k / 100.0);
      CHECK(*std::min_element(values.begin(), values.end()) >= 0.0);
    }
    std::vector<double> first(at(f.size())), last(at(f.size()));
    first.front() = last.back() = 1.0;
    CHECK(values_at(f, 0.0) == first);
    CHECK(values_at(f, 1.0) == last);

    const int p = f.order();
    std::vector<double> slopes(at(f.size()));
    f.derivative(0.0, slopes);
    CHECK((slopes[0] == -p && slopes[1] == p));
    f.derivative(1.0, slopes);
    CHECK((slopes[at(p)] == p && slopes[at(p - 1)] == -p));
  }
}

TEST_CASE("tables at symmetric points mirror themselves bit by bit", "[fem]") {
  for (const basis& f : all_bases())
    for (const quadrature_rule& rule : symmetric_rules(f)) {
      INFO(words(f) << ", " << rule.points.size() << " points");
      const basis_tables t = tabulate(f, rule);
      // Rows and columns both reversed is the order of storage reversed.
      std::vector<double> negated;
      for (const double slope : t.G) negated.push_back(-slope);
      CHECK(std::equal(t.B.begin(), t.B.end(), t.B.rbegin()));
      CHECK(std::equal(t.G.begin(), t.G.end(), negated.rbegin()));
    }
}

TEST_CASE("tables hold what evaluate and derivative yield", "[fem]") {
  for (const basis& f : all_bases()) {
    INFO(words(f));
    const quadrature_rule rule = asymmetric_rule();
    const basis_tables t = tabulate(f, rule);
    std::vector<double> values(at(t.d)), slopes(at(t.d)), B(at(t.q * t.d)), G(B);
    for (int k = 0; k < t.q; ++k) {
      f.evaluate(rule.points[at(k)], values);
      f.derivative(rule.points[at(k)], slopes);
      for (int i = 0; i < t.d; ++i) {
        B[at(k + t.q * i)] = values[at(i)];
        G[at(k + t.q * i)] = slopes[at(i)];
      }
    }
    CHECK(t.B == B);
    CHECK(t.G == G);
  }
}

TEST_CASE("mass matrices are exact, symmetric and positive definite", "[fem]") {
  for (const basis& f : all_bases()) {
    INFO(words(f));
    const int d = f.size();
    const std::vector<double> m = mass_matrix(f, gauss(d));
    double worst = 0.0;
    bool symmetric = true;
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) {
        symmetric = symmetric && m[at(i + d * j)] == m[at(j + d * i)];
        worst = std::max(worst, std::abs(m[at(i + d * j)] - exact_mass(f, i, j)));
      }
    CHECK(symmetric);
    CHECK(worst <= 2 * d * epsilon);
    CHECK(is_positive_definite(m, d));
  }
}

TEST_CASE("a mass matrix with too few points is singular", "[fem]") {
  const basis f(basis_kind::gauss_lobatto, 3);
  CHECK_FALSE(is_positive_definite(mass_matrix(f, gauss(2)), f.size()));
}

TEST_CASE("bases refuse impossible orders and result sizes", "[fem]") {
  const auto message = [](auto action) -> std::string {
    try {
      action();
    } catch (const tessera::error& e) {
      return e.what();
    }
    return "no error";
  };
  for (const basis_kind kind : all_kinds)
    for (const int p : {-1, 17, 100})
      CHECK(message([&] { basis(kind, p); }).find(" basis of order " + std::to_string(p) + ";") != std::string::npos);
  CHECK(message([] { basis(basis_kind::bernstein, 0); }) ==
        "basis: no bernstein basis of order 0; the order must be 1 to 16");
  CHECK(message([] { basis(basis_kind::gauss, 0); }) == "no error");
  CHECK(message([] { basis(static_cast<basis_kind>(7), 2); }) == "basis: unknown kind 7");

  const basis cubic(basis_kind::gauss_lobatto, 3);
  std::vector<double> values(5);
  CHECK(message([&] { cubic.evaluate(0.5, values); }) ==
        "basis::evaluate: room for 5 values, but the basis has 4 functions");
  CHECK(message([&] { cubic.derivative(0.5, values); }) ==
        "basis::derivative: room for 5 values, but the basis has 4 functions");
}
