// SPDX-License-Identifier: BSD-3-Clause
// A pointwise function that is known at run time only, as the direct element kernel takes it.
#pragma once

#include <tessera/element/at_point.hpp>
#include <tessera/element/points_block.hpp>

namespace tessera {

template <class T>
struct direct_function {
  int dim = 3;
  point_shape trial{}, test{};
  int factors = 0;
  points_function<T> at_points = nullptr;
  const void* state = nullptr;
  /// Whether it takes D as blocks of elements have it, factor f of point k being vector f + factors k: a points_row.
  bool D_by_point = false;
  bool mirrored = false;  // all tables are: they are given in halves, too
  bool nodal = false;     // the functions are the Lagrange polynomials of the points, and nothing is interpolated

  /// Numbers at a point.
  constexpr int quantities(const point_shape& s) const {
    return s.components * ((s.value ? 1 : 0) + (s.gradient ? dim : 0));
  }
  constexpr index_t power(index_t n) const { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }
  /// Vectors of scratch memory that the kernel needs.
  constexpr index_t scratch(index_t d, index_t q, index_t t) const {
    const index_t least = d > t ? d : t, side = least > q ? least : q;
    return (quantities(trial) + quantities(test) + factors) * power(q) + 2 * (dim + 1) * power(side);
  }
};

}  // namespace tessera
