// SPDX-License-Identifier: BSD-3-Clause
// The kernel that applies an operator by dense tables: a block takes a few elements through the steps of a program.
#pragma once

#include <nv/target>

#include <tessera/gpu/detail/element/dense_program.cuh>
#include <tessera/gpu/detail/element/dense_warp_program.cuh>
#include <tessera/gpu/detail/element/l_vector_atomics.cuh>
#include <tessera/gpu/detail/stream_order.cuh>
#include <tessera/gpu/detail/tensor_core.cuh>

namespace tessera::device {

/// What the lanes of a warp do together in a dense_warp_program.
struct tensor_warp : tensor_core {
  __device__ static void sync() { __syncwarp(); }

  // clang-format off
  /// Starts a copy to shared memory: asynchronous from sm_80 on.
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
  /// Until the lane's own copies are complete.
  __device__ static void wait() {
    NV_IF_TARGET(NV_PROVIDES_SM_80, (asm volatile("cp.async.wait_all;" ::: "memory");))
  }
  // clang-format on
};

namespace detail {

/// A barrier of the block after each step; where a warp has its elements to itself, of the warp.
template <class Program>
__device__ inline void run_round(Program& program, int round) {
  program.begin(round);
  if constexpr (Program::by_warp) {
    __syncwarp();
    program.evaluate();
    __syncwarp();
    program.gather();
    __syncwarp();
    program.end();
    __syncwarp();
  } else {
    __syncthreads();
    for (int part = 0; part < Program::parts; ++part) {
      program.to_points(part);
      __syncthreads();
      program.from_points(part);
      __syncthreads();
    }
    program.end();
  }
}

}  // namespace detail

/// Program: a dense_program or a dense_warp_program. Blocks are numbered along x, then y.
template <class Program>
__global__ void __launch_bounds__(Program::threads, Program::blocks)
    evaluate_dense(const __grid_constant__ typename Program::arguments a,
                   const __grid_constant__ typename Program::tables tables,
                   const __grid_constant__ typename Program::function function) {
  using T = typename Program::value_type;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  Program program(a, tables, function, reinterpret_cast<T*>(shared), blockIdx.x + index_t(gridDim.x) * blockIdx.y,
                  int(threadIdx.x));
  const int rounds = program.rounds();
  for (int round = 0; round < rounds; ++round) detail::run_round(program, round);
}

}  // namespace tessera::device
