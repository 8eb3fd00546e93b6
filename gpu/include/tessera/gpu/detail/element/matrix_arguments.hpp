// SPDX-License-Identifier: BSD-3-Clause
// What kernels of element matrices are launched with, and their tuning as a type of integers.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/detail/element/matrix_tuning.hpp>

namespace tessera::device {

/// Where the numbers of the entries that a block writes stand in its shared memory: see places.cuh.
struct entry_places {
  const unsigned short* at = nullptr;
  int pitch = 0;  ///< places from one copy to the next
};

template <class T>
struct matrix_arguments {
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  T* M = nullptr;           // the matrices of elements first, first + 1, ..., one behind the other
  index_t first = 0, count = 0;
  entry_places places;        // of ways that have them
  const T* tables = nullptr;  // in memory, of functions or their products: what the way says
};

/// What is no size of one direction; the tuning by its axes.
template <int Components, bool Packed, int... Axes>
struct matrix_shape {
  static constexpr int components = Components;
  static constexpr bool packed = Packed;
  static constexpr matrix_tuning tuning{Axes...};
};

}  // namespace tessera::device
