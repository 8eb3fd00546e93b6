// SPDX-License-Identifier: BSD-3-Clause
// How a block takes a patch of elements through a program, step by step.
#pragma once

#include <tessera/gpu/detail/element/l_vector.cuh>
#include <tessera/gpu/detail/element/patch_arguments.hpp>

namespace tessera::device {

/// Terms of shared numbers are added to y at once, in any order.
struct terms_by_atomics {
  static constexpr bool in_places = false;
  template <class T, class Code>
  __device__ static void put(T value, Code place, T* data, const Code* outer) {
    atomicAdd(data + outer[place], value);
  }
};

namespace detail {

/// apply(arguments, use) to the elements of each step of the block's patch, at most Program::elements_of_block at once;
/// use: how often that was before. A barrier follows each.
template <class Program, class Apply>
__device__ inline void take_patch(const typename Program::arguments& a, const patch_arguments& patches,
                                  const Apply& apply) {
  constexpr int most = Program::elements_of_block;
  const index_t patch = blockIdx.x + index_t(gridDim.x) * blockIdx.y;
  if (patch >= patches.count) return;
  const index_t last = patches.first_step[patch + 1];
  index_t step = patches.first_step[patch], first = patches.first_element[step], end = patches.first_element[step + 1];
  for (unsigned use = 0; step < last; ++step) {
    // Read ahead: the next step need not wait for it.
    const index_t next_end = patches.first_element[step + 1 < last ? step + 2 : last];
    for (; first < end; first += most) {
      typename Program::arguments own = a;
      own.first = first;
      own.count = end - first < most ? end - first : most;
      apply(own, use++);
      __syncthreads();
    }
    first = end;
    end = next_end;
  }
}

}  // namespace detail

}  // namespace tessera::device
