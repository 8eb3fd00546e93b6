// SPDX-License-Identifier: BSD-3-Clause
// What kernels of symmetric element matrices are launched with, and their tunings as types of integers.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/pair_room.hpp>

namespace tessera::device {

/// Where the numbers of the entries that a block writes stand in its shared memory: see places.cuh.
struct entry_places {
  const unsigned short* at = nullptr;
  int pitch = 0;  ///< places from one copy to the next
};

template <class T>
struct pair_arguments {
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  T* M = nullptr;           // the matrices of elements first, first + 1, ..., one behind the other
  index_t first = 0, count = 0;
  entry_places places;
};

/// pair_tuning and what else is no size of one direction.
template <bool Packed, int Elements, bool Sliced, int Threads, int Blocks>
struct pair_shape {
  static constexpr bool packed = Packed;
  static constexpr pair_tuning tuning{Elements, Sliced, Threads, Blocks};
};

}  // namespace tessera::device
