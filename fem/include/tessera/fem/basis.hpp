// SPDX-License-Identifier: BSD-3-Clause
// One-dimensional polynomial bases on the unit interval, and their tables at quadrature points.
#pragma once

#include <tessera/fem/quadrature.hpp>

#include <span>
#include <vector>

namespace tessera::fem {

enum class basis_kind {
  gauss_lobatto,  ///< Lagrange polynomials at the Gauss-Lobatto points: continuous elements
  gauss,          ///< Lagrange polynomials at the Gauss points: discontinuous elements
  bernstein       ///< Bernstein polynomials: non-negative, interpolating at the two ends only
};

inline constexpr int max_order = 16;

/// The order + 1 basis functions of one kind, ordered from left to right.
class basis {
 public:
  /// Throws tessera::error unless 1 <= order <= max_order; kind gauss has order 0, too.
  basis(basis_kind kind, int order);

  basis_kind kind() const { return kind_; }
  int order() const { return order_; }
  int size() const { return order_ + 1; }

  /// Ascending. Lagrange: function i is 1 at nodes()[i] and 0 at the other nodes, exactly.
  /// Bernstein: the control points i / order, where coefficients f(node) reproduce linear f.
  std::span<const double> nodes() const { return nodes_; }

  /// values[i] = phi_i(x). Throws tessera::error unless values.size() == size().
  void evaluate(double x, std::span<double> values) const;

  /// values[i] = phi_i'(x). Throws tessera::error unless values.size() == size().
  void derivative(double x, std::span<double> values) const;

 private:
  basis_kind kind_;
  int order_;
  std::vector<double> nodes_;
  std::vector<double> scales_;  // Lagrange: product of nodes_[i] - nodes_[j] over j != i
};

/// Values and derivatives of d functions at q points, as column-major q x d matrices:
/// B[k + q*i] = phi_i(x_k) and G[k + q*i] = phi_i'(x_k).
struct basis_tables {
  int q = 0;
  int d = 0;
  std::vector<double> B;  // (q,d)
  std::vector<double> G;  // (q,d)
};

/// The tables of a basis at the points of a rule.
///
/// If the points are exactly symmetric (every rule of quadrature.hpp), so are the tables: B[q-1-k + q*(d-1-i)] == B[k +
/// q*i], and G likewise with the sign changed.
basis_tables tabulate(const basis& functions, const quadrature_rule& rule);

}  // namespace tessera::fem
