// SPDX-License-Identifier: BSD-3-Clause
// The kernels behind the device limits: copies, reads, writes, shared memory and FMA chains.
#pragma once

#include <cstddef>

namespace tessera::bench::device {

// Each thread moves Vectors 16-byte vectors, coalesced over a block's threads; the grid covers the array once.
template <int Vectors>
__global__ void copy_once(const double2* __restrict__ from, double2* __restrict__ to, std::size_t n) {
  const std::size_t first = std::size_t(blockIdx.x) * blockDim.x * Vectors + threadIdx.x;
  double2 value[Vectors];
#pragma unroll
  for (int v = 0; v < Vectors; ++v)
    if (first + v * blockDim.x < n) value[v] = from[first + v * blockDim.x];
#pragma unroll
  for (int v = 0; v < Vectors; ++v)
    if (first + v * blockDim.x < n) to[first + v * blockDim.x] = value[v];
}

__global__ void copy_striding(const double2* __restrict__ from, double2* __restrict__ to, std::size_t n) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) to[i] = from[i];
}

__global__ void read_all(const double2* __restrict__ from, double2* __restrict__ to, std::size_t n) {
  const std::size_t first = std::size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  double2 sum{0, 0};
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    if (first + v * blockDim.x >= n) continue;
    const double2 value = from[first + v * blockDim.x];
    sum.x += value.x;
    sum.y += value.y;
  }
  if (sum.x + sum.y == 0.123456789) to[0] = sum;  // never: the array holds zeros
}

__global__ void write_all(const double2*, double2* __restrict__ to, std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = double2{0, 0};
}

// Each block reads its part of `from`, adjacent to the next block's, and writes Vectors vectors per thread.
template <int Vectors>
__global__ void read_then_write(const double2* __restrict__ from, std::size_t n_from, double2* __restrict__ to,
                                std::size_t n_to) {
  const std::size_t begin = n_from * blockIdx.x / gridDim.x, end = n_from * (blockIdx.x + std::size_t(1)) / gridDim.x;
  double2 sum{double(threadIdx.x), 1};
  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const double2 value = from[i];
    sum.x += value.x;
    sum.y += value.y;
  }
  const std::size_t first = std::size_t(blockIdx.x) * blockDim.x * Vectors + threadIdx.x;
#pragma unroll
  for (int v = 0; v < Vectors; ++v)
    if (first + v * blockDim.x < n_to) to[first + v * blockDim.x] = sum;
}

// Conflict-free 16-byte loads: a warp reads 512 consecutive bytes.
__global__ void read_shared(double* out, int rounds) {
  __shared__ double2 box[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) box[i] = double2{1e-9 * i, 2e-9 * i};
  __syncthreads();
  double2 sum{0, 0};
  int at = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      const double2 value = box[(at + 32 * u) & 1023];
      // Integer additions keep the loads alive without loading the FP64 pipe.
      sum.x = __longlong_as_double(__double_as_longlong(sum.x) ^ __double_as_longlong(value.x));
      sum.y = __longlong_as_double(__double_as_longlong(sum.y) ^ __double_as_longlong(value.y));
    }
    at += 256 + (rounds == 0);
  }
  if (sum.x == 0.123456789) out[0] = sum.y;
}

template <class T>
__global__ void fma_chains(T* out, int rounds, T scale, T shift) {
  T sum[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) sum[i] = T(threadIdx.x + i) * shift;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < 4; ++u)
#pragma unroll
      for (int i = 0; i < 8; ++i) sum[i] = sum[i] * scale + shift;
  }
  T total = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) total += sum[i];
  if (total == T(0.123456789)) out[0] = total;
}

// An addition and a minimum a step, each of which the next one waits for, of eight numbers side by side.
template <class T>
__global__ void min_plus_chains(T* out, int rounds, T shift, T most) {
  T least[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) least[i] = T(threadIdx.x + i) * shift;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < 4; ++u)
#pragma unroll
      for (int i = 0; i < 8; ++i) least[i] = fmin(least[i] + shift, most);
  }
  T total = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) total += least[i];
  if (total == T(0.123456789)) out[0] = total;
}

__global__ void nothing() {}

}  // namespace tessera::bench::device
