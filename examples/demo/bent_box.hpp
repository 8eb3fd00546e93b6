// SPDX-License-Identifier: BSD-3-Clause
// The demo's mesh, as a user's code would have it: the unit cube in bent hexahedra, and the numbering of its nodes.
#pragma once

#include <tessera/fem/element_operator.hpp>

#include <array>
#include <vector>

namespace tessera::demo {

/// cells[0] x cells[1] x cells[2] elements of order p. The inside of the cube is bent, its surface is not: volume 1.
class bent_box {
 public:
  bent_box(const std::array<int, 3>& cells, int p);

  const std::array<int, 3>& cells() const { return cells_; }
  int order() const { return p_; }
  index_t elements() const { return index_t(cells_[0]) * cells_[1] * cells_[2]; }
  /// Nodes in a direction, and in all: one unknown each.
  index_t side(int direction) const { return index_t(cells_[std::size_t(direction)]) * p_ + 1; }
  index_t unknowns() const { return side(0) * side(1) * side(2); }
  bool on_surface(index_t unknown) const;

  /// Geometry of order min(p, 2), which has the bent cube's nodes exactly. The mesh must outlive it.
  fem::element_nodes<double> nodes() const;
  /// Unknown of entry i of element e: number()[i + (p + 1)^3 e].
  const std::vector<int>& number() const { return number_; }
  /// a . (X - X0) at every entry of an E-vector, X and X0 being the coordinates of its node and of the first node of
  /// its element: the constant of each element is omitted, which has no effect on derivatives, but would add rounding
  /// errors.
  std::vector<double> linear_field(const std::array<double, 3>& a) const;

 private:
  /// Calls body(at in the E-vector, node in each direction) for the nodes of all elements of that order.
  template <class Body>
  void for_each_node(int order, const Body& body) const;

  std::array<int, 3> cells_;
  int p_;
  std::vector<double> line_;  // Gauss-Lobatto points of order p
  std::vector<double> coordinates_;
  std::vector<int> number_;
};

/// Approximately this many elements, nearly a cube.
std::array<int, 3> box_of(double elements);

}  // namespace tessera::demo
