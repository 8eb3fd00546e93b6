// SPDX-License-Identifier: BSD-3-Clause
// The kernel of element matrices: a block takes its part of them through the steps of a share.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/gpu/stream_order.cuh>

namespace tessera::device {

/// M is written once and read by someone else: nothing of it is meant for caches.
struct streaming_stores {
  __device__ static void store(double* to, const double* from) {
    __stcs(reinterpret_cast<double2*>(to), *reinterpret_cast<const double2*>(from));
  }
  __device__ static void store(double* to, double from) { __stcs(to, from); }
  __device__ static void store(float* to, const float* from) {
    __stcs(reinterpret_cast<float4*>(to), *reinterpret_cast<const float4*>(from));
  }
};

/// Share: a matrix_program, pair_program, halved_program, strip_program, parity_program, thread_program, held_program
/// or chain_share. Blocks are numbered along x, then y.
template <class Share>
__global__ void __launch_bounds__(Share::threads, Share::blocks)
    assemble_elements(const __grid_constant__ typename Share::arguments a,
                      const __grid_constant__ typename Share::tables constants) {
  using T = typename Share::value_type;
  extern __shared__ __align__(128) unsigned char shared[];
  take_turn();
  Share share(a, constants, reinterpret_cast<T*>(shared), blockIdx.x + index_t(gridDim.x) * blockIdx.y,
              int(threadIdx.x));
  Share::in_order([&](const auto& step) {
    step(share);
    __syncthreads();
  });
}

}  // namespace tessera::device
