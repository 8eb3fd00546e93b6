// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of diagonals is launched with.
#pragma once

#include <tessera/element/layout.hpp>

namespace tessera::device {

/// Layout: the storer's, see e_vector.cuh.
template <class T, class Layout = element_layout>
struct diagonal_arguments {
  const void* D = nullptr;       // factor f of point k of element e at [k + points (f + factors e)]
  T* y = nullptr;                // the diagonals, a vector of elements; they are not added to
  const T* tables = nullptr;     // entry i of point k of table n at [i + functions (k + points n)]
  index_t first = 0, count = 0;  // elements first, first + 1, ...
  int repeats = 1;               // components that have the same diagonal, or groups of coupled ones
  Layout y_layout{};
};

}  // namespace tessera::device
