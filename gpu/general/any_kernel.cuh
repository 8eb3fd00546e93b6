// SPDX-License-Identifier: BSD-3-Clause
// Launches the kernels with everything at run time, of one type of sums: any_kernel*.cu instantiate it.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <tessera/gpu/detail/general/any_sums.cuh>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

/// Conversions of 16-bit numbers and the exponential. Only inside of kernels.
struct gpu_target {
  // clang-format off
  static constexpr float from_half(unsigned short bits) {
    float value = 0;
    if (!__builtin_is_constant_evaluated()) asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
  static constexpr unsigned short half_from(float value) {
    unsigned short bits = 0;
    if (!__builtin_is_constant_evaluated()) asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
  }
  // clang-format on
  static constexpr unsigned short bfloat16_from(float value) { return tessera::detail::bfloat16_from(value); }
  template <class T>
  static constexpr T exp_minus_one(T x) {
    return expm1(x);
  }
};

/// What a thread does of a program.
template <class Program>
struct thread_of_block {
  typename Program::thread own;

  template <class Part>
  constexpr void run(const Part& part) {
    part(own);
  }
  constexpr void wait() {
    if (!__builtin_is_constant_evaluated()) asm volatile("bar.sync 0;" ::: "memory");
  }
};

template <class Program>
__global__ void __launch_bounds__(any_threads, Program::blocks) contract_any(const __grid_constant__ any_work work) {
  static_assert(std::is_trivially_default_constructible_v<typename Program::shared_memory>);
  __shared__ typename Program::shared_memory shared;
  thread_of_block<Program> block{{int(threadIdx.x)}};
  Program{work, shared}.run(block, blockIdx.x, gridDim.x);
}

template <class S>
void queue_any_of(const any_work& work, void* stream) {
  constexpr index_t most_blocks = 1 << 20;
  const auto kernel = work.way == any_way::large_tiles   ? &contract_any<any_tile_program<S, gpu_target, 64>>
                      : work.way == any_way::small_tiles ? &contract_any<any_tile_program<S, gpu_target, 16>>
                                                         : &contract_any<any_sum_program<S, gpu_target>>;
  void* arguments[] = {const_cast<any_work*>(&work)};
  queue({.what = "a general contraction with types and sizes at run time", .whole = true},
        reinterpret_cast<const void*>(kernel), {unsigned(std::min(work.tiles, most_blocks)), 1, any_threads, 0},
        arguments, static_cast<cudaStream_t>(stream));
}

}  // namespace tessera::device
