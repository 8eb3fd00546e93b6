// SPDX-License-Identifier: BSD-3-Clause
// Evaluates polynomials on simplices: Lagrange by way of orthogonal ones, Bernstein as they are; collapsed quadrature.
#include <tessera/error.hpp>
#include <tessera/fem/simplex.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "dense_inverse.hpp"
#include "gauss_jacobi.hpp"

namespace tessera::fem {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void check_dimension(const char* what, int dim) {
  if (dim < 1 || dim > 3) throw error(std::string(what) + ": dimension " + std::to_string(dim) + " is not 1, 2 or 3");
}

/// A number with its derivatives in the directions of the simplex, so that a polynomial is written once.
struct with_slopes {
  double value = 0;
  double slope[3] = {};
  with_slopes() = default;
  with_slopes(double constant) : value(constant) {}  // NOLINT: numbers are constants

  friend with_slopes operator+(with_slopes a, const with_slopes& b) {
    a.value += b.value;
    for (int i = 0; i < 3; ++i) a.slope[i] += b.slope[i];
    return a;
  }
  friend with_slopes operator-(const with_slopes& a, const with_slopes& b) { return a + b * with_slopes(-1.0); }
  friend with_slopes operator*(const with_slopes& a, const with_slopes& b) {
    with_slopes product(a.value * b.value);
    for (int i = 0; i < 3; ++i) product.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
    return product;
  }
};

// Barycentric coordinates of x, that of corner 0 first.
void barycentric_of(std::span<const double> x, double (&to)[4]) {
  to[0] = 1;
  for (std::size_t a = 0; a < x.size(); ++a) {
    to[0] -= x[a];
    to[a + 1] = x[a];
  }
}
void barycentric_of(std::span<const double> x, with_slopes (&to)[4]) {
  double values[4] = {};
  barycentric_of(x, values);
  for (std::size_t a = 0; a <= x.size(); ++a) to[a] = values[a];
  for (std::size_t a = 0; a < x.size(); ++a) {
    to[0].slope[a] = -1;
    to[a + 1].slope[a] = 1;
  }
}

/// Of a node whose barycentric coordinates on a regular grid are powers / n, n their sum: its place among Gauss-Lobatto
/// points of edges, blended from faces to the inside. The coordinate of a corner on the face opposite to corner i has a
/// share of point n - powers[i] of the segment's n + 1 Gauss-Lobatto points.
std::array<double, 4> blended(const std::array<int, 4>& powers, int corners) {
  int n = 0;
  for (int c = 0; c < corners; ++c) n += powers[at(c)];
  const std::vector<double> line = gauss_lobatto(n + 1).points;
  std::array<double, 4> place{};
  if (corners == 2) return {line[at(powers[0])], line[at(powers[1])], 0, 0};
  double shares = 0;
  for (int i = 0; i < corners; ++i) {
    if (powers[at(i)] == n) continue;
    std::array<int, 4> face{};
    for (int c = 0, f = 0; c < corners; ++c)
      if (c != i) face[at(f++)] = powers[at(c)];
    const std::array<double, 4> on_face = blended(face, corners - 1);
    const double share = line[at(n - powers[at(i)])];
    shares += share;
    for (int c = 0, f = 0; c < corners; ++c)
      if (c != i) place[at(c)] += share * on_face[at(f++)];
  }
  for (double& coordinate : place) coordinate /= shares;
  return place;
}

template <class S>
S power(const S& x, int n) {
  S product(1.0);
  for (int i = 0; i < n; ++i) product = product * x;
  return product;
}

double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

}  // namespace

point_rule simplex_rule(int dim, int n) {
  check_dimension("simplex_rule", dim);
  // x1 = a1, x2 = (1 - a1) a2, x3 = (1 - a1) (1 - a2) a3; the volume shrinks with the power dim - 1 of 1 - a1 and the
  // power dim - 2 of 1 - a2.
  std::vector<quadrature_rule> lines;
  lines.reserve(at(dim));
  for (int a = 0; a < dim; ++a) lines.push_back(detail::gauss_jacobi(n, dim - 1 - a));
  point_rule rule{dim, {}, {}};
  std::array<int, 3> k{};
  for (;;) {
    double left = 1, weight = 1;
    for (int a = 0; a < dim; ++a) {
      const double here = lines[at(a)].points[at(k[at(a)])];
      rule.points.push_back(left * here);
      left *= 1 - here;
      weight *= lines[at(a)].weights[at(k[at(a)])];
    }
    rule.weights.push_back(weight);
    int a = 0;
    while (a < dim && ++k[at(a)] == n) k[at(a++)] = 0;
    if (a == dim) return rule;
  }
}

simplex_basis::simplex_basis(basis_kind kind, int dim, int order) : kind_(kind), dim_(dim), order_(order) {
  check_dimension("simplex_basis", dim);
  if (kind != basis_kind::gauss_lobatto && kind != basis_kind::bernstein)
    throw error("simplex_basis: on simplices there are gauss_lobatto and bernstein, no gauss");
  if (order < 1 || order > max_simplex_order)
    throw error("simplex_basis: no basis of order " + std::to_string(order) + "; the order must be 1 to " +
                std::to_string(max_simplex_order));
  for (int i3 = 0; i3 <= (dim > 2 ? order : 0); ++i3)
    for (int i2 = 0; i2 <= (dim > 1 ? order - i3 : 0); ++i2)
      for (int i1 = 0; i1 <= order - i3 - i2; ++i1) grid_.push_back({{order - i1 - i2 - i3, i1, i2, i3}});
  for (const powers& p : grid_) {
    const std::array<double, 4> place = blended({p.of[0], p.of[1], p.of[2], p.of[3]}, dim + 1);
    for (int a = 1; a <= dim; ++a)
      nodes_.push_back(kind == basis_kind::bernstein ? static_cast<double>(p.of[a]) / order : place[at(a)]);
  }
  if (kind == basis_kind::bernstein) return;
  std::vector<double> values(grid_.size() * grid_.size());  // of mode m at node i: [i + size m]
  for (std::size_t i = 0; i < grid_.size(); ++i) {
    double corners[4] = {};
    barycentric_of(nodes().subspan(i * at(dim), at(dim)), corners);
    const std::vector<double> modes = modes_at(corners);
    for (std::size_t m = 0; m < modes.size(); ++m) values[i + grid_.size() * m] = modes[m];
  }
  modes_to_functions_ = detail::inverse(std::move(values), size());
}

// Orthogonal polynomials, one for each node. With L_b the barycentric coordinates, s_a = L_0 + ... + L_a and
// t_a = L_a - s_(a-1), mode (i1,i2,i3) is the product over the directions of s_a^(i_a) P(t_a / s_a), P being Jacobi
// polynomial i_a of the exponent that the directions before it leave.
template <class S>
std::vector<S> simplex_basis::modes_at(const S (&barycentric)[4]) const {
  std::vector<S> modes;
  for (const powers& p : grid_) {
    S product(1.0), sum = barycentric[0];
    int exponent = 0;
    for (int a = 1; a <= dim_; ++a) {
      const S t = barycentric[a] - sum, s = barycentric[a] + sum;
      product = product * detail::scaled_jacobi(p.of[a], exponent, t, s);
      exponent += 2 * p.of[a] + 1;
      sum = s;
    }
    modes.push_back(product);
  }
  return modes;
}

template <class S>
std::vector<S> simplex_basis::functions_at(std::span<const double> x) const {
  S barycentric[4] = {};
  barycentric_of(x, barycentric);
  std::vector<S> functions;
  if (kind_ == basis_kind::bernstein) {
    for (const powers& p : grid_) {
      S product(factorial(order_));
      for (int c = 0; c <= dim_; ++c) product = product * power(barycentric[c], p.of[c]) * S(1 / factorial(p.of[c]));
      functions.push_back(product);
    }
    return functions;
  }
  const std::vector<S> modes = modes_at(barycentric);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    S sum(0.0);
    for (std::size_t m = 0; m < modes.size(); ++m) sum = sum + modes[m] * S(modes_to_functions_[m + modes.size() * i]);
    functions.push_back(sum);
  }
  return functions;
}

void simplex_basis::check(const char* function, std::span<const double> x, std::size_t given,
                          std::size_t wanted) const {
  if (x.size() == at(dim_) && given == wanted) return;
  throw error(std::string("simplex_basis::") + function + ": a point of " + std::to_string(x.size()) +
                  " coordinates and room for " + std::to_string(given) + " numbers, not " + std::to_string(dim_) +
                  " and " + std::to_string(wanted),
              status::shape_mismatch);
}

void simplex_basis::evaluate(std::span<const double> x, std::span<double> values) const {
  check("evaluate", x, values.size(), grid_.size());
  const std::vector<double> functions = functions_at<double>(x);
  std::copy(functions.begin(), functions.end(), values.begin());
}

void simplex_basis::gradient(std::span<const double> x, std::span<double> gradients) const {
  check("gradient", x, gradients.size(), grid_.size() * at(dim_));
  const std::vector<with_slopes> functions = functions_at<with_slopes>(x);
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (int a = 0; a < dim_; ++a) gradients[i + functions.size() * at(a)] = functions[i].slope[a];
}

dense_basis tabulate(const simplex_basis& functions, const point_rule& rule) {
  if (functions.dim() != rule.dim)
    throw error("tabulate: a basis in " + std::to_string(functions.dim()) + " dimensions, points in " +
                    std::to_string(rule.dim),
                status::shape_mismatch);
  const std::size_t q = rule.weights.size(), n = at(functions.size()), dim = at(rule.dim);
  dense_basis tables{functions.size(), std::vector<double>(q * n), std::vector<double>(q * n * dim)};
  std::vector<double> values(n), slopes(n * dim);
  for (std::size_t k = 0; k < q; ++k) {
    const std::span<const double> x = std::span(rule.points).subspan(k * dim, dim);
    functions.evaluate(x, values);
    functions.gradient(x, slopes);
    for (std::size_t i = 0; i < n; ++i) tables.values[k + q * i] = values[i];
    for (std::size_t i = 0; i < n * dim; ++i) tables.gradients[k + q * i] = slopes[i];
  }
  return tables;
}

}  // namespace tessera::fem
