// SPDX-License-Identifier: BSD-3-Clause
// How a block takes a patch of elements through a program, step by step.
#pragma once

#include <tessera/gpu/detail/element/l_vector.cuh>
#include <tessera/gpu/detail/element/patch_arguments.hpp>

namespace tessera::device {

/// Terms of shared numbers are added to y at once, in any order.
struct terms_by_atomics {
  template <class T, class Code>
  __device__ static void put(T value, Code place, T* data, const Code* outer, T*) {
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
  unsigned use = 0;
  for (index_t step = patches.first_step[patch]; step < last; ++step) {
    const index_t end = patches.first_element[step + 1];
    for (index_t first = patches.first_element[step]; first < end; first += most) {
      typename Program::arguments own = a;
      own.first = first;
      own.count = end - first < most ? end - first : most;
      apply(own, use++);
      __syncthreads();
    }
  }
}

}  // namespace detail

}  // namespace tessera::device
