// SPDX-License-Identifier: BSD-3-Clause
// The kernel of element matrices: a block takes its part of them through the steps of a program.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/gpu/detail/stream_order.cuh>

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

/// Program: of a way to element matrices, what a thread does (*_matrices.cuh). Blocks are numbered along x, then y.
template <class Program>
__global__ void __launch_bounds__(Program::threads, Program::blocks)
    assemble_elements(const __grid_constant__ typename Program::arguments a,
                      const __grid_constant__ typename Program::tables constants) {
  using T = typename Program::value_type;
  extern __shared__ __align__(128) unsigned char shared[];
  wait_for_earlier_kernels();
  Program program(a, constants, reinterpret_cast<T*>(shared), blockIdx.x + index_t(gridDim.x) * blockIdx.y,
                  int(threadIdx.x));
  Program::in_order([&](const auto& step) {
    step(program);
    __syncthreads();
  });
}

}  // namespace tessera::device
