// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of diagonals is launched with.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

template <class T>
struct diagonal_arguments {
  const void* D = nullptr;    // factor f of point k of element e at [k + points (f + factors e)]
  T* y = nullptr;             // of elements first, first + 1, ..., one behind the other
  const T* tables = nullptr;  // entry i of point k of table n at [i + functions (k + points n)]
  index_t first = 0, count = 0;
  int repeats = 1;  // components that have the same diagonal, or groups of coupled ones
};

}  // namespace tessera::device
