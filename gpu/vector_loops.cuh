// SPDX-License-Identifier: BSD-3-Clause
// Loops over vectors: a block has a part of fixed size. Sums go by parts, which one block adds in a fixed order.
#pragma once

#include <string>

#include <tessera/core/types.hpp>

#include "cuda_call.hpp"

namespace tessera::device {

inline constexpr int threads_of_part = 256, numbers_of_part = 4096, threads_of_total = 1024;

inline index_t parts_of(index_t n) { return (n + numbers_of_part - 1) / numbers_of_part; }

inline cudaStream_t cuda_stream(void* stream) { return static_cast<cudaStream_t>(stream); }

inline void check_queued(const char* what) { check(std::string("queue ") + what, cudaGetLastError()); }

// What a kernel does is a struct: begin() reads what is the same for all numbers of a system, blockIdx.y, and says
// whether there is work. A system has n numbers, after those of the one before.

struct numbers_of_block {
  index_t first, last;
  __device__ explicit numbers_of_block(index_t n) {
    const index_t begin = index_t(blockIdx.y) * n, end = begin + n;
    first = begin + index_t(blockIdx.x) * numbers_of_part;
    last = first + numbers_of_part < end ? first + numbers_of_part : end;
  }
};
inline dim3 blocks_of_systems(index_t n, int systems) { return {unsigned(parts_of(n)), unsigned(systems)}; }

// body(i) for all numbers.
template <class Body>
__global__ void __launch_bounds__(threads_of_part) for_numbers(index_t n, Body body) {
  if (!body.begin()) return;
  const numbers_of_block own(n);
  for (index_t i = own.first + threadIdx.x; i < own.last; i += threads_of_part) body(i);
}
template <class Body>
void queue_for_numbers(const char* what, index_t n, const Body& body, void* stream, int systems = 1) {
  if (n == 0) return;
  for_numbers<<<blocks_of_systems(n, systems), threads_of_part, 0, cuda_stream(stream)>>>(n, body);
  check_queued(what);
}

// The sum over the block's threads, in thread 0: always the same additions.
template <int Threads>
__device__ double block_sum(double value, double* of_warps) {
  constexpr unsigned all = 0xffffffffu;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(all, value, step);
  __syncthreads();  // of_warps may still be read for the sum before
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  value = threadIdx.x < Threads / 32 ? of_warps[threadIdx.x] : 0;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(all, value, step);
  return value;
}

// partial[(system * Sums + k) * parts + part]: sum k of body(i, sums) over the part's numbers.
template <int Sums, class Body>
__global__ void __launch_bounds__(threads_of_part) sum_parts(index_t n, Body body, double* partial) {
  __shared__ double of_warps[threads_of_part / 32];
  if (!body.begin()) return;
  const numbers_of_block own(n);
  double sums[Sums] = {};
  for (index_t i = own.first + threadIdx.x; i < own.last; i += threads_of_part) body(i, sums);
  for (int k = 0; k < Sums; ++k) {
    const double sum = block_sum<threads_of_part>(sums[k], of_warps);
    if (threadIdx.x == 0) partial[(index_t(blockIdx.y) * Sums + k) * index_t(gridDim.x) + blockIdx.x] = sum;
  }
}
template <int Sums, class Body>
void queue_sum_parts(const char* what, index_t n, const Body& body, double* partial, void* stream, int systems = 1) {
  if (n == 0) return;
  sum_parts<Sums><<<blocks_of_systems(n, systems), threads_of_part, 0, cuda_stream(stream)>>>(n, body, partial);
  check_queued(what);
}

/// The sum of the parts' sums, in thread 0 of the block.
__device__ inline double sum_of_parts(const double* partial, index_t parts, double* of_warps) {
  double sum = 0;
  for (index_t part = threadIdx.x; part < parts; part += threads_of_total) sum += partial[part];
  return block_sum<threads_of_total>(sum, of_warps);
}

}  // namespace tessera::device
