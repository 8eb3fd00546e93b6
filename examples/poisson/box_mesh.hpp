// SPDX-License-Identifier: BSD-3-Clause
// The data of a code with its own mesh: a bent square or cube of curved elements, node numbers, boundary marks.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/fem/basis.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tessera::examples {

struct box_mesh {
  int dim, order, cells;            // cells in each direction
  index_t side;                     // nodes in a direction
  index_t elements = 1, nodes = 1;  // nodes: unknowns
  index_t element_nodes = 1;
  std::vector<double> coordinates;   // c of node i of element e: [i + element_nodes (c + dim e)]
  std::vector<std::int64_t> number;  // of node i of element e: [i + element_nodes e]
  std::vector<index_t> boundary;     // nodes on it

  /// Elements of that order, and curved by it, too; the inside of the box is bent, its boundary is not.
  box_mesh(int dimensions, int p, int n) : dim(dimensions), order(p), cells(n), side(index_t(p) * n + 1) {
    const fem::basis line(fem::basis_kind::gauss_lobatto, p);
    for (int a = 0; a < dim; ++a) {
      elements *= n;
      nodes *= side;
      element_nodes *= p + 1;
    }
    coordinates.resize(std::size_t(element_nodes * dim * elements));
    for (index_t e = 0; e < elements; ++e)
      for (index_t i = 0; i < element_nodes; ++i) {
        std::array<double, 3> x{};
        index_t node = 0, stride = 1;
        for (index_t a = 0, ee = e, ii = i; a < dim; ++a, ee /= n, ii /= p + 1, stride *= side) {
          x[std::size_t(a)] = (double(ee % n) + line.nodes()[std::size_t(ii % (p + 1))]) / n;
          node += stride * (ee % n * p + ii % (p + 1));
        }
        x = bent(x);
        for (index_t c = 0; c < dim; ++c)
          coordinates[std::size_t(i + element_nodes * (c + dim * e))] = x[std::size_t(c)];
        number.push_back(node);
      }
    for (index_t node = 0; node < nodes; ++node)
      if (!inside(node)) boundary.push_back(node);
  }

  /// Coordinate c of the nodes, an L-vector.
  std::vector<double> coordinate(int c) const {
    std::vector<double> x(static_cast<std::size_t>(nodes));
    for (index_t e = 0; e < elements; ++e)
      for (index_t i = 0; i < element_nodes; ++i)
        x[std::size_t(number[std::size_t(i + element_nodes * e)])] =
            coordinates[std::size_t(i + element_nodes * (c + dim * e))];
    return x;
  }
  bool inside(index_t node) const {
    for (int a = 0; a < dim; ++a, node /= side)
      if (node % side == 0 || node % side + 1 == side) return false;
    return true;
  }

 private:
  std::array<double, 3> bent(const std::array<double, 3>& x) const {
    double bump = 0.05;
    for (int a = 0; a < dim; ++a) bump *= std::sin(std::acos(-1.0) * x[std::size_t(a)]);
    std::array<double, 3> y = x;
    for (int a = 0; a < dim; ++a) y[std::size_t(a)] += a % 2 == 0 ? bump : -bump;
    return y;
  }
};

}  // namespace tessera::examples
