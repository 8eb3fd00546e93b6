// SPDX-License-Identifier: BSD-3-Clause
// The kernel of diagonals: a block takes its elements through the steps of a share.
#pragma once

#include <tessera/gpu/element/diagonal_share.cuh>
#include <tessera/gpu/stream_order.cuh>

namespace tessera::device {

/// Share: a diagonal_share. Blocks are numbered along x, then y.
template <class Share>
__global__ void __launch_bounds__(Share::threads) take_diagonals(const __grid_constant__ typename Share::arguments a) {
  using T = typename Share::value_type;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  Share share(a, reinterpret_cast<T*>(shared), blockIdx.x + index_t(gridDim.x) * blockIdx.y, int(threadIdx.x));
  Share::in_order([&](const auto& step) {
    step(share);
    __syncthreads();
  });
}

}  // namespace tessera::device
