// SPDX-License-Identifier: BSD-3-Clause
// What the kernel of symmetric element matrices by strips is launched with, and its tuning as a type of integers.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/strip_room.hpp>

namespace tessera::device {

template <class T>
struct strip_arguments {
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  T* M = nullptr;           // the matrices of elements first, first + 1, ..., one behind the other
  index_t first = 0, count = 0;
  const T* tables = nullptr;  // values and slopes [point + 8 function], zero where there is no point or function
};

/// strip_tuning and what else is no size of one direction.
template <bool Packed, int Staged, int Threads, int Blocks>
struct strip_shape {
  static constexpr bool packed = Packed;
  static constexpr strip_tuning tuning{Staged, Threads, Blocks};
};

}  // namespace tessera::device
