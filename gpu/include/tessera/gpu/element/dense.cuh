// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel of dense tables: a block takes a few elements through the steps of a share.
#pragma once

#include <nv/target>

#include <tessera/gpu/element/dense_share.cuh>
#include <tessera/gpu/element/dense_warp_share.cuh>
#include <tessera/gpu/stream_order.cuh>
#include <tessera/gpu/tensor_core.cuh>

namespace tessera::device {

/// What the lanes of a warp do together in a dense_warp_share.
struct tensor_warp : tensor_core {
  __device__ static void meet() { __syncwarp(); }

  // clang-format off
  /// A copy to shared memory that is on its way: by instructions of sm_80 and later.
  template <int bytes>
  __device__ static void copy(void* to, const void* from) {
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (
      const auto there = static_cast<unsigned>(__cvta_generic_to_shared(to));
      if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(there), "l"(from) : "memory");
      else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" :: "r"(there), "l"(from), "n"(bytes) : "memory");), (
      for (int i = 0; i < bytes / 4; ++i) static_cast<int*>(to)[i] = static_cast<const int*>(from)[i];))
  }
  /// Until the lane's own are there.
  __device__ static void wait() {
    NV_IF_TARGET(NV_PROVIDES_SM_80, (asm volatile("cp.async.wait_all;" ::: "memory");))
  }
  // clang-format on
};

namespace detail {

/// The block meets behind each step; where a warp has its elements to itself, the warp does.
template <class Share>
__device__ inline void go_through_round(Share& share, int round) {
  share.begin(round);
  if constexpr (Share::by_warp) {
    __syncwarp();
    share.evaluate();
    __syncwarp();
    share.gather();
    __syncwarp();
    share.end();
    __syncwarp();
  } else {
    __syncthreads();
    for (int part = 0; part < Share::parts; ++part) {
      share.to_points(part);
      __syncthreads();
      share.from_points(part);
      __syncthreads();
    }
    share.end();
  }
}

}  // namespace detail

/// Share: a dense_share or a dense_warp_share. Blocks are numbered along x, then y.
template <class Share>
__global__ void __launch_bounds__(Share::threads, Share::blocks)
    evaluate_dense(const __grid_constant__ typename Share::arguments a,
                   const __grid_constant__ typename Share::tables tables,
                   const __grid_constant__ typename Share::function function) {
  using T = typename Share::value_type;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  Share share(a, tables, function, reinterpret_cast<T*>(shared), blockIdx.x + index_t(gridDim.x) * blockIdx.y,
              int(threadIdx.x));
  const int rounds = share.rounds();
  for (int round = 0; round < rounds; ++round) detail::go_through_round(share, round);
}

}  // namespace tessera::device
