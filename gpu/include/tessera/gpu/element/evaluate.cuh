// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel: a block takes a few elements through the phases of share.hpp.
#pragma once

#include <tessera/gpu/element/share.hpp>

namespace tessera::device {

namespace detail {

template <class Share, int number = 0>
__device__ inline void go_through(Share& share, int round) {
  share.template run<number>(round);
  if constexpr (number + 1 < Share::phases) {
    __syncthreads();
    go_through<Share, number + 1>(share, round);
  }
}

}  // namespace detail

/// Share: an element_share. Blocks are numbered along x, then y.
template <class Share>
__global__ void __launch_bounds__(Share::threads, Share::blocks)
    evaluate_elements(const __grid_constant__ typename Share::arguments a,
                      const __grid_constant__ typename Share::tables constants,
                      const __grid_constant__ typename Share::function function) {
  extern __shared__ __align__(16) unsigned char shared[];
  Share share(a, constants, function, reinterpret_cast<typename Share::value_type*>(shared),
              blockIdx.x + index_t(gridDim.x) * blockIdx.y, int(threadIdx.x));
  const int rounds = share.rounds();
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) __syncthreads();
    detail::go_through(share, round);
  }
}

}  // namespace tessera::device
