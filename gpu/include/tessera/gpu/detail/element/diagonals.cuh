// SPDX-License-Identifier: BSD-3-Clause
// The kernel of diagonals: a block takes its elements through the steps of a program.
#pragma once

#include <tessera/gpu/detail/element/diagonal_program.cuh>
#include <tessera/gpu/detail/stream_order.cuh>

namespace tessera::device {

/// Program: a diagonal_program. Blocks are numbered along x, then y.
template <class Program>
__global__ void __launch_bounds__(Program::threads)
    take_diagonals(const __grid_constant__ typename Program::arguments a) {
  using T = typename Program::value_type;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  Program program(a, reinterpret_cast<T*>(shared), blockIdx.x + index_t(gridDim.x) * blockIdx.y, int(threadIdx.x));
  Program::in_order([&](const auto& step) {
    step(program);
    __syncthreads();
  });
}

}  // namespace tessera::device
