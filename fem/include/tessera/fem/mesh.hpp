// SPDX-License-Identifier: BSD-3-Clause
// A structured mesh of quadrilaterals or hexahedra on the unit square or cube, smoothly deformed, of any geometry
// order.
#pragma once

#include <tessera/fem/grid.hpp>

#include <functional>
#include <span>
#include <vector>

namespace tessera::fem {

/// The image of a point of the unit square or cube.
using deformation = std::function<point(const point&)>;

class mesh {
 public:
  /// cells: 2 or 3 numbers of elements. Each element is the polynomial of degree `order` in each direction through the
  /// images of its Gauss-Lobatto nodes. Throws on other numbers of directions, fewer than 1 cell, orders not in 1..16.
  mesh(const std::vector<int>& cells, int order, const deformation& move = {});

  int dim() const { return static_cast<int>(cells_.size()); }
  int order() const { return order_; }
  const std::vector<int>& cells() const { return cells_; }
  /// Element e = e1 + cells[0] (e2 + cells[1] e3).
  index_t elements() const { return elements_; }
  std::array<int, 3> cell(index_t element) const;
  /// n = (order + 1)^dim
  index_t nodes() const { return nodes_; }

  /// Coordinate c of node i of element e: coordinates()[i + n (c + dim e)], with i = i1 + (order+1) (i2 + ...).
  std::span<const double> coordinates() const { return coordinates_; }

 private:
  std::vector<int> cells_;
  int order_;
  index_t elements_ = 1;
  index_t nodes_ = 1;
  std::vector<double> coordinates_;
};

}  // namespace tessera::fem
