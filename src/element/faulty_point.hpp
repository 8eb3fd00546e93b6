// SPDX-License-Identifier: BSD-3-Clause
// Says what is wrong with a point of which D cannot be computed.
#pragma once

#include <vector>

#include <tessera/element/evaluation.hpp>

#include "number_range.hpp"

namespace tessera::detail {

/// A geometry of which some element is faulty, and where to look for it.
template <class T>
struct faulty_geometry {
  const geometry_spec<T>& from;
  operator_kind kind;
  int dim;
  bool dense;                              // tables of elements, not of directions
  index_t q, points;                       // in each direction, and of an element
  const std::vector<T>& weights;           // one a point
  const std::vector<double>& derivatives;  // of the geometry's functions at the points
  number_range<T> range;
};

/// Looks at elements [first, last), of the first one from `point` on, whose numbers may be in host or device memory.
/// Throws naming the first coordinate or coefficient that is no number, or the first determinant or D that cannot be.
template <class T>
[[noreturn]] void refuse_faulty(const faulty_geometry<T>& g, index_t first, index_t last, index_t point);

}  // namespace tessera::detail
