// SPDX-License-Identifier: BSD-3-Clause
// Polynomials and quadrature on the unit segment, triangle and tetrahedron, and their tables.
#pragma once

#include <tessera/element/dense_basis.hpp>
#include <tessera/fem/basis.hpp>

#include <span>
#include <vector>

namespace tessera::fem {

/// Points of a reference element of any shape: the sum of weights[k] f(point k) approximates an integral over it.
struct point_rule {
  int dim = 2;
  std::vector<double> points;  ///< coordinate a of point k: [a + dim k]
  std::vector<double> weights;
  int size() const { return static_cast<int>(weights.size()); }
};

/// The unit simplex, all x_a >= 0 and their sum <= 1, with n^dim points: Gauss-Jacobi points of the unit cube, one side
/// of which is collapsed. Exact for polynomials of total degree up to 2 n - 1; points are inside, weights positive.
/// Throws unless dim is 1 to 3 and n 1 to max_quadrature_points.
point_rule simplex_rule(int dim, int n);

inline constexpr int max_simplex_order = 10;

/// The polynomials of total degree up to `order` on the unit simplex, numbered like the nodes (i1,i2,i3) of a regular
/// grid, i1 + i2 + i3 <= order, i1 fastest: for order 1 the corners 0, e1, e2, e3.
class simplex_basis {
 public:
  /// gauss_lobatto: Lagrange polynomials of nodes that are the Gauss-Lobatto points on every edge. bernstein: its
  /// control points are the regular grid. Throws on kind gauss, and unless dim is 1 to 3 and the order 1 to
  /// max_simplex_order.
  simplex_basis(basis_kind kind, int dim, int order);

  basis_kind kind() const { return kind_; }
  int dim() const { return dim_; }
  int order() const { return order_; }
  int size() const { return static_cast<int>(grid_.size()); }
  /// Coordinate a of node i: [a + dim i].
  std::span<const double> nodes() const { return nodes_; }

  /// values[i] = phi_i(x). Throws unless values.size() is size(), and x has dim coordinates.
  void evaluate(std::span<const double> x, std::span<double> values) const;
  /// gradients[i + size() a] = derivative of phi_i in direction a at x.
  void gradient(std::span<const double> x, std::span<double> gradients) const;

 private:
  struct powers {
    int of[4];  // exponents of the barycentric coordinates, that of corner 0 first; their sum is the order
  };
  template <class S>
  std::vector<S> functions_at(std::span<const double> x) const;
  template <class S>
  std::vector<S> modes_at(const S (&barycentric)[4]) const;
  void check(const char* function, std::span<const double> x, std::size_t given, std::size_t wanted) const;

  basis_kind kind_;
  int dim_, order_;
  std::vector<powers> grid_;
  std::vector<double> nodes_;
  std::vector<double> modes_to_functions_;  // Lagrange: of mode m in function i at [m + size() i]
};

/// The tables of a basis at the points of a rule. Throws if their dimensions differ.
dense_basis tabulate(const simplex_basis& functions, const point_rule& rule);

}  // namespace tessera::fem
