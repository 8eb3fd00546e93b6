// SPDX-License-Identifier: BSD-3-Clause
// What an element matrix kernel is launched with, and its sizes and tuning as types of integers.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/matrix_room.hpp>

namespace tessera::device {

template <class T>
struct matrix_arguments {
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  T* M = nullptr;           // the matrices of elements first, first + 1, ..., one behind the other
  index_t first = 0, count = 0;
};

/// matrix_tuning and what else is no size of one direction.
template <int Components, bool Packed, int Elements, int Slices, int Strips, int Threads, int Blocks, int Pad0 = 1,
          int Pad1 = 1>
struct matrix_shape {
  static constexpr int components = Components;
  static constexpr bool packed = Packed;
  static constexpr matrix_tuning tuning{Elements, Slices, Strips, Threads, Blocks, {Pad0, Pad1}};
};

}  // namespace tessera::device
