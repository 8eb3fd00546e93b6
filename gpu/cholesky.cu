// SPDX-License-Identifier: BSD-3-Clause
// L D L^T of a matrix by a block, and solves by the lanes of a warp, or by a part of them, with L in shared memory.
#include <limits>

#include <tessera/gpu/detail/block_part.cuh>
#include <tessera/gpu/detail/cholesky.hpp>
#include <tessera/gpu/detail/queue.cuh>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "cuda_call.hpp"

namespace tessera::device {

namespace {

using tessera::detail::cholesky_failure;
using tessera::detail::most_cholesky_rows;
using number = unsigned long long;  // of a matrix; atomicMin takes it

constexpr number no_matrix = ~number(0);

// In device memory.
struct pivots_found {
  number first_bad;
  int row;  // of `only_this`
  double pivot;
};

template <class T>
struct factor_arguments {
  int n;
  index_t count, stride;
  const T* A;
  T* L;
  pivots_found* found;
  index_t only_this;  // the matrix whose failure is described; -1: which ones fail
};
template <class T>
struct solve_arguments {
  int n;
  index_t count, stride;
  const T* L;
  const T* b;
  T* x;
};

extern __shared__ __align__(16) unsigned char shared_memory[];

__device__ constexpr int row_start(int i) { return i * (i + 1) / 2; }

__device__ inline index_t block_number() { return blockIdx.x + index_t(gridDim.x) * blockIdx.y; }

// The columns one after the other, a row a thread: L L^T in shared memory, which becomes L D L^T when it is stored.
// Consecutive rows of a column are in different banks: their starts differ modulo any power of 2.
template <class T>
__global__ void __launch_bounds__(most_cholesky_rows) factor_matrices(const __grid_constant__ factor_arguments<T> a) {
  const index_t matrix = a.only_this >= 0 ? a.only_this : block_number();
  if (matrix >= a.count) return;
  const int n = a.n, i = int(threadIdx.x);
  T* const l = reinterpret_cast<T*>(shared_memory);
  T* const scales = l + a.stride;  // 1 / sqrt(D)
  T* const row = l + row_start(i);
  const T* const from = a.A + index_t(n) * n * matrix;
  for (int j = 0; j < n; ++j)
    if (j <= i && i < n) copy_entry(row + j, from + i + index_t(n) * j);
  wait_for_pieces();
  __syncthreads();

  for (int j = 0; j < n; ++j) {
    if (j <= i && i < n) {
      const T* const other = l + row_start(j);
      T sum[4] = {};
      int k = 0;
      for (; k + 4 <= j; k += 4)
#pragma unroll
        for (int p = 0; p < 4; ++p) sum[p] += row[k + p] * other[k + p];
      for (; k < j; ++k) sum[0] += row[k] * other[k];
      row[j] -= (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    __syncthreads();
    const T pivot = l[row_start(j) + j];
    constexpr T largest = std::numeric_limits<T>::max();
    if (!(pivot > 0 && pivot <= largest && 1 / pivot <= largest)) {  // for all threads alike
      if (i == 0 && a.only_this < 0) atomicMin(&a.found->first_bad, number(matrix));
      if (i == 0 && a.only_this >= 0) {
        a.found->row = j;
        a.found->pivot = double(pivot);
      }
      return;
    }
    const T scale = 1 / sqrt(pivot);
    if (i == j) scales[j] = scale;
    if (j < i && i < n) row[j] *= scale;
    __syncthreads();
  }

  T* const to = a.L + a.stride * matrix;
  for (int r = 0; r < n; ++r)
    if (i <= r) to[row_start(r) + i] = r == i ? 1 / l[row_start(r) + i] : l[row_start(r) + i] * scales[i];
}

// The unknowns of a matrix are dealt out to `lanes` threads, `rows` to each: row i belongs to lane i modulo `lanes`.
template <class T, int lanes, int rows>
struct triangle_solve {
  static constexpr int step = 4;  // columns that are broadcast at once

  const T* l;
  int n, lane;
  T v[rows];

  __device__ static T from_lane(T value, int lane) { return __shfl_sync(0xffffffffu, value, lane, lanes); }
  __device__ T entry(int i, int j) const { return i < n ? l[row_start(i) + j] : T(0); }

  // Columns j = lanes r0 + c and the next ones: every lane computes their unknowns y.
  template <bool transposed>
  __device__ void get_unknowns(T of_lanes, int c, int j, T (&y)[step]) const {
#pragma unroll
    for (int q = 0; q < step; ++q) y[q] = from_lane(of_lanes, c + q);
#pragma unroll
    for (int p = 0; p < step; ++p)
#pragma unroll
      for (int q = p + 1; q < step; ++q) {
        if constexpr (transposed)
          y[step - 1 - q] -= entry(j + step - 1 - p, j + step - 1 - q) * y[step - 1 - p];
        else
          y[q] -= entry(j + q, j + p) * y[p];
      }
  }

  __device__ void forward() {
#pragma unroll
    for (int r0 = 0; r0 < rows; ++r0)
      for (int c = 0; c < lanes && lanes * r0 + c < n; c += step) {
        const int j = lanes * r0 + c;
        T y[step];
        get_unknowns<false>(v[r0], c, j, y);
#pragma unroll
        for (int r = r0; r < rows; ++r) {
          const int i = lane + lanes * r;
#pragma unroll
          for (int q = 0; q < step; ++q)
            if (j + q < i && i < n) v[r] -= l[row_start(i) + j + q] * y[q];
        }
      }
  }
  __device__ void divide() {
#pragma unroll
    for (int r = 0; r < rows; ++r) v[r] *= entry(lane + lanes * r, lane + lanes * r);
  }
  __device__ void backward() {
#pragma unroll
    for (int r0 = rows - 1; r0 >= 0; --r0) {
      const int here = n - lanes * r0 < lanes ? n - lanes * r0 : lanes;
      for (int c = (here - 1) / step * step; c >= 0; c -= step) {
        const int j = lanes * r0 + c;
        T y[step];
        get_unknowns<true>(v[r0], c, j, y);
#pragma unroll
        for (int r = 0; r <= r0; ++r) {
          const int i = lane + lanes * r;
#pragma unroll
          for (int q = step - 1; q >= 0; --q)
            if (i < j + q && j + q < n) v[r] -= l[row_start(j + q) + i] * y[q];
        }
      }
    }
  }
};

template <class T, int lanes, int rows>
__global__ void solve_matrices(const __grid_constant__ solve_arguments<T> a) {
  const int group = int(threadIdx.x) / lanes, groups = int(blockDim.x) / lanes;
  const index_t wanted = block_number() * groups + group, matrix = wanted < a.count ? wanted : a.count - 1;
  triangle_solve<T, lanes, rows> by;
  by.n = a.n;
  by.lane = int(threadIdx.x) % lanes;
  T* const l = reinterpret_cast<T*>(shared_memory) + a.stride * group;
  by.l = l;
  constexpr int piece = 16 / int(sizeof(T));
  for (int k = by.lane * piece; k < int(a.stride); k += lanes * piece) copy_piece(l + k, a.L + a.stride * matrix + k);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int i = by.lane + lanes * r;
    by.v[r] = i < a.n && wanted < a.count ? a.b[a.n * matrix + i] : T(0);
  }
  wait_for_pieces();
  __syncwarp();
  by.forward();
  by.divide();
  by.backward();
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int i = by.lane + lanes * r;
    if (i < a.n && wanted < a.count) a.x[a.n * matrix + i] = by.v[r];
  }
}

template <class T, int lanes, int rows>
void queue_solve(const solve_arguments<T>& a, cudaStream_t stream) {
  constexpr int warp = 32, most_in_four_warps = 48;  // above, few blocks of four warps would fit a multiprocessor
  const int threads = a.n <= most_in_four_warps ? 4 * warp : warp, groups = threads / lanes;
  void* arguments[] = {const_cast<solve_arguments<T>*>(&a)};
  queue({.what = "solve of batched_cholesky", .whole = true},
        reinterpret_cast<const void*>(&solve_matrices<T, lanes, rows>),
        shape_for(a.count, groups, threads, groups * int(a.stride * index_t(sizeof(T)))), arguments, stream);
}

template <class T>
void queue_factor(const factor_arguments<T>& a, cudaStream_t stream) {
  constexpr int warp = 32;
  const int threads = (a.n + warp - 1) / warp * warp;
  void* arguments[] = {const_cast<factor_arguments<T>*>(&a)};
  queue({.what = "factors of batched_cholesky", .whole = true}, reinterpret_cast<const void*>(&factor_matrices<T>),
        shape_for(a.only_this >= 0 ? 1 : a.count, 1, threads, int((a.stride + a.n) * index_t(sizeof(T)))), arguments,
        stream);
}

}  // namespace

template <class T>
cholesky_failure factor_cholesky(int n, index_t count, const T* A, T* L, void* stream) {
  if (count == 0) return {};
  pivots_found found{no_matrix, 0, 0};
  const buffer there(space_kind::gpu, sizeof found);
  copy(there.data(), &found, sizeof found, direction::host_to_device);
  const auto read = [&] {
    stream_synchronize(stream);
    copy(&found, there.data(), sizeof found, direction::device_to_host);
  };
  factor_arguments<T> a{n, count, cholesky_stride<T>(n), A, L, static_cast<pivots_found*>(there.data()), -1};
  queue_factor(a, static_cast<cudaStream_t>(stream));
  read();
  if (found.first_bad == no_matrix) return {};
  a.only_this = index_t(found.first_bad);
  queue_factor(a, static_cast<cudaStream_t>(stream));
  read();
  return {a.only_this, found.row, found.pivot};
}

template <class T>
void solve_cholesky(int n, index_t count, const T* L, const T* b, T* x, void* stream) {
  if (count == 0) return;
  const solve_arguments<T> a{n, count, cholesky_stride<T>(n), L, b, x};
  const auto on = static_cast<cudaStream_t>(stream);
  if (n <= 8) return queue_solve<T, 8, 1>(a, on);
  if (n <= 16) return queue_solve<T, 16, 1>(a, on);
  if (n <= 32) return queue_solve<T, 32, 1>(a, on);
  if (n <= 64) return queue_solve<T, 32, 2>(a, on);
  if (n <= 96) return queue_solve<T, 32, 3>(a, on);
  queue_solve<T, 32, 4>(a, on);
}

template cholesky_failure factor_cholesky(int, index_t, const float*, float*, void*);
template cholesky_failure factor_cholesky(int, index_t, const double*, double*, void*);
template void solve_cholesky(int, index_t, const float*, const float*, float*, void*);
template void solve_cholesky(int, index_t, const double*, const double*, double*, void*);

}  // namespace tessera::device
