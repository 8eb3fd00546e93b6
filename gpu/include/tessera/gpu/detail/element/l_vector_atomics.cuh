// SPDX-License-Identifier: BSD-3-Clause
// Terms of an l_vector_storer that are added to y at once, in any order.
#pragma once

#include <tessera/gpu/detail/element/l_vector.cuh>

namespace tessera::device {

struct terms_by_atomics {
  static constexpr bool in_places = false;
  template <class T>
  __device__ static void put(T value, T* to) {
    atomicAdd(to, value);
  }
};

}  // namespace tessera::device
