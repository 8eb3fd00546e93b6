// SPDX-License-Identifier: BSD-3-Clause
// The tables of a CeedBasis in the library's order: of one direction, or of all functions at all points.
#pragma once

#include <ceed/backend.h>

#include <tessera/core/types.hpp>

#include <vector>

namespace tessera::ceed {

struct basis_tables {
  bool tensor = false;
  int dim = 0, components = 0;
  int functions = 0, points = 0;  // of a direction if tensor, else of an element
  std::vector<double> values;     // function i at point k: [k + points i]
  std::vector<double> gradients;  // [k + points i], or, not tensor, direction a: [k + points (i + functions a)]
  /// Tensor: derivatives at the points of the polynomials through them, [k + points l], where gradients are its product
  /// with the values; else empty.
  std::vector<double> differentiate;

  index_t power(int n) const { return !tensor || dim == 1 ? n : dim == 2 ? n * n : index_t(n) * n * n; }
  index_t all_functions() const { return power(functions); }
  index_t all_points() const { return power(points); }
};

/// Tables that are symmetric up to rounding become exactly so: kernels need fewer operations then.
basis_tables tables_of(CeedBasis basis);

/// The weight of each point of an element.
std::vector<double> weights_of(CeedBasis basis);

}  // namespace tessera::ceed
