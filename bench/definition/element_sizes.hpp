// SPDX-License-Identifier: BSD-3-Clause
// The sizes of one element operator, and its counts of flops and bytes.
#pragma once

#include <cstddef>

#include <tessera/element/operator_kind.hpp>

namespace tessera::bench {

/// d functions and q points a direction.
struct element_sizes {
  operator_kind kind = operator_kind::mass;
  int dim = 3, components = 1;
  int p = 1, q = 3;
  bool nodal = false;  // the points are the Gauss-Lobatto nodes
  int geometry = 0;    // nodes per direction from which D is computed at each application; 0: D is stored
  bool simplex = false;
  bool own = false;  // the operator is a user's pointwise function

  index_t power(index_t n) const { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }
  index_t functions() const {
    if (!simplex) return power(p + 1);
    return index_t(p + 1) * (p + 2) / 2 * (dim == 3 ? p + 3 : 3) / 3;
  }
  index_t points() const { return power(q); }
  /// Of one element, by sum factorisation without use of symmetry: values to the points, derivatives there, and back.
  /// Of simplices by dense tables.
  double flops() const;
  double flops_with_data() const;  ///< without the computation of D
  double flops_of_simplex() const;
  index_t geometry_nodes() const { return geometry > 0 ? power(geometry) : 0; }
  /// Of one element: x, D or the nodes and, written or updated, y.
  double bytes(bool add, std::size_t entry) const;
};

}  // namespace tessera::bench
