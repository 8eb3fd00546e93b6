// SPDX-License-Identifier: BSD-3-Clause
// Evaluates one-dimensional Lagrange and Bernstein bases and tabulates them.
#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace tessera::fem {
namespace {

const char* name(basis_kind kind) {
  switch (kind) {
    case basis_kind::gauss_lobatto: return "gauss_lobatto";
    case basis_kind::gauss: return "gauss";
    case basis_kind::bernstein: return "bernstein";
  }
  throw error("basis: unknown kind " + std::to_string(static_cast<int>(kind)));
}

std::vector<double> make_nodes(basis_kind kind, int order) {
  if (kind == basis_kind::gauss) return gauss(order + 1).points;
  if (kind == basis_kind::gauss_lobatto) return gauss_lobatto(order + 1).points;
  std::vector<double> nodes;
  for (int i = 0; i <= order; ++i) nodes.push_back(static_cast<double>(i) / order);
  return nodes;
}

// Lagrange functions are evaluated in the first barycentric form, phi_i(x) = products(x)[i] /
// products(x_i)[i], by products from the left and from the right. Unlike the second form this has
// no special case at the nodes, where it is exact, and small errors relative to each value.

/// values[i] = product of x - nodes[j] over j != i.
void node_products(std::span<const double> nodes, double x, std::span<double> values) {
  double left = 1.0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    values[i] = left;
    left *= x - nodes[i];
  }
  double right = 1.0;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    values[i] *= right;
    right *= x - nodes[i];
  }
}

/// values[i] = derivative with respect to x of what node_products() yields.
void node_product_slopes(std::span<const double> nodes, double x, std::span<double> values) {
  std::array<double, max_order + 1> lefts{};
  double left = 1.0, left_slope = 0.0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    lefts[i] = left;
    values[i] = left_slope;
    left_slope = left_slope * (x - nodes[i]) + left;
    left *= x - nodes[i];
  }
  double right = 1.0, right_slope = 0.0;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    values[i] = values[i] * right + lefts[i] * right_slope;
    right_slope = right_slope * (x - nodes[i]) + right;
    right *= x - nodes[i];
  }
}

/// The Bernstein polynomials of order values.size() - 1, by sums of products of non-negative
/// numbers (for x in [0,1]), so that each value has a small relative error.
void bernstein(double x, std::span<double> values) {
  values[0] = 1.0;
  for (std::size_t n = 1; n < values.size(); ++n) {
    values[n] = x * values[n - 1];
    for (std::size_t i = n - 1; i > 0; --i) values[i] = (1.0 - x) * values[i] + x * values[i - 1];
    values[0] *= 1.0 - x;
  }
}

/// Their derivatives: order times differences of the polynomials of one order less.
void bernstein_slopes(double x, std::span<double> values) {
  const std::size_t order = values.size() - 1;
  bernstein(x, values.first(order));
  values[order] = 0.0;
  const double factor = static_cast<double>(order);
  for (std::size_t i = order; i > 0; --i) values[i] = factor * (values[i - 1] - values[i]);
  values[0] *= -factor;
}

void check_size(const char* function, int size, std::span<double> values) {
  if (values.size() != static_cast<std::size_t>(size))
    throw error(std::string("basis::") + function + ": room for " + std::to_string(values.size()) +
                " values, but the basis has " + std::to_string(size) + " functions");
}

bool mirrors_itself(const std::vector<double>& points) {
  for (std::size_t k = 0; 2 * k < points.size(); ++k)
    if (points[points.size() - 1 - k] != 1.0 - points[k]) return false;
  return true;
}

/// Overwrites the second half of the rows by the mirror image of the first. The middle row is its
/// own image and is made to be exactly that.
void mirror_rows(std::vector<double>& table, std::size_t q, std::size_t d, double sign) {
  for (std::size_t k = 0; 2 * k < q; ++k)
    for (std::size_t i = 0; i < d; ++i) {
      double& value = table[k + q * i];
      double& image = table[(q - 1 - k) + q * (d - 1 - i)];
      if (2 * k + 1 == q) value = 0.5 * (value + sign * image);
      image = sign * value;
    }
}

}  // namespace

basis::basis(basis_kind kind, int order) : kind_(kind), order_(order) {
  const std::string kind_name = name(kind);
  const int least = kind == basis_kind::gauss ? 0 : 1;
  if (order < least || order > max_order)
    throw error("basis: no " + kind_name + " basis of order " + std::to_string(order) + "; the order must be " +
                std::to_string(least) + " to " + std::to_string(max_order));
  nodes_ = make_nodes(kind, order);
  if (kind == basis_kind::bernstein) return;
  std::vector<double> products(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    node_products(nodes_, nodes_[i], products);
    scales_.push_back(products[i]);
  }
}

void basis::evaluate(double x, std::span<double> values) const {
  check_size("evaluate", size(), values);
  if (kind_ == basis_kind::bernstein) return bernstein(x, values);
  node_products(nodes_, x, values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= scales_[i];
}

void basis::derivative(double x, std::span<double> values) const {
  check_size("derivative", size(), values);
  if (kind_ == basis_kind::bernstein) return bernstein_slopes(x, values);
  node_product_slopes(nodes_, x, values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= scales_[i];
}

basis_tables tabulate(const basis& functions, const quadrature_rule& rule) {
  const std::size_t q = rule.points.size();
  const std::size_t d = static_cast<std::size_t>(functions.size());
  basis_tables tables{static_cast<int>(q), functions.size(), std::vector<double>(q * d), std::vector<double>(q * d)};
  std::vector<double> row(d);
  for (std::size_t k = 0; k < q; ++k) {
    functions.evaluate(rule.points[k], row);
    for (std::size_t i = 0; i < d; ++i) tables.B[k + q * i] = row[i];
    functions.derivative(rule.points[k], row);
    for (std::size_t i = 0; i < d; ++i) tables.G[k + q * i] = row[i];
  }
  // Even-odd kernels read half of a table and need the other half to be its mirror image bit by bit. The points up to
  // 1/2 have the smaller rounding errors, so their half is kept.
  if (mirrors_itself(rule.points)) {
    mirror_rows(tables.B, q, d, 1.0);
    mirror_rows(tables.G, q, d, -1.0);
  }
  return tables;
}

}  // namespace tessera::fem
