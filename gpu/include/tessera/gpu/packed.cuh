// SPDX-License-Identifier: BSD-3-Clause
// The GPU gemm kernel for packed products of known sizes: a block takes one group of products in one pass. Whole shares
// of A and B come in, each thread computes tiles of C, the share of C leaves.
#pragma once

#include <tessera/gpu/block_shape.cuh>
#include <tessera/gpu/packed_plan.hpp>
#include <tessera/gpu/share.cuh>

namespace tessera::device {

/// packed_sizes as a type of integers.
template <int M, int N, int K, int LeftLies = 0, int RightLies = 0, int OutLies = 0>
struct packed_form {
  static constexpr packed_sizes sizes{M, N, K, lie(LeftLies), lie(RightLies), lie(OutLies)};
  static constexpr int m = M, n = N, k = K;
};

template <class T>
struct packed_arguments {
  const T* left;   // (m,k,products)
  const T* right;  // (k,n,products)
  T* out;          // (m,n,products)
  T alpha, beta;
  index_t products;
};

/// `Count` neighbours in one access.
template <class T, int Count>
struct alignas(Count * sizeof(T)) side_by_side {
  T at[Count];
};

/// The tile of C that a thread computes. Rows and columns are interleaved with other threads', rows in vectors, so that
/// lanes read neighbours.
template <class Form, class Tuning>
struct tile_place {
  static constexpr int vector = Tuning::row_vector;
  static constexpr int down = (Form::m + Tuning::tile_rows - 1) / Tuning::tile_rows;
  static constexpr int across = (Form::n + Tuning::tile_cols - 1) / Tuning::tile_cols;
  static constexpr int each = down * across, all = Tuning::matrices * each;
  static constexpr int passes = (all + Tuning::threads - 1) / Tuning::threads;

  int product, first_row, first_col;

  __device__ explicit tile_place(int t) : product(t / each) {
    const int in_product = t - product * each;
    first_col = in_product / down;
    first_row = (in_product - first_col * down) * vector;
  }
  __device__ int row(int i) const { return first_row + i / vector * vector * down + i % vector; }
  __device__ int col(int j) const { return first_col + j * across; }
  __device__ bool covers(int i, int j) const { return row(i) < Form::m && col(j) < Form::n; }
};

/// acc(j,i) += sum_k left(row(i), k) right(k, col(j)), k ascending. Vector: rows of A in one access.
template <int Vector, class Form, class Tuning, class T>
__device__ void multiply_tile(T (&acc)[Tuning::tile_cols][Tuning::tile_rows], const tile_place<Form, Tuning>& tile,
                              const T* left, const packed_tiles& in_left, const T* right,
                              const packed_tiles& in_right) {
  constexpr int rows = Tuning::tile_rows, cols = Tuning::tile_cols;
  using piece = side_by_side<T, Vector>;
  const T* const a = left + tile.product * in_left.copy;
  const T* const b = right + tile.product * in_right.copy;
#pragma unroll unroll_of(Form::k)
  for (int k = 0; k < Form::k; ++k) {
    piece x[rows / Vector];
    T y[cols];
#pragma unroll
    for (int i = 0; i < rows; i += Vector)
      x[i / Vector] = *reinterpret_cast<const piece*>(a + tile.row(i) * in_left.row + k * in_left.col);
#pragma unroll
    for (int j = 0; j < cols; ++j) y[j] = b[k * in_right.row + tile.col(j) * in_right.col];
#pragma unroll
    for (int j = 0; j < cols; ++j)
#pragma unroll
      for (int i = 0; i < rows; ++i) acc[j][i] += x[i / Vector].at[i % Vector] * y[j];
  }
}

/// Passes side by side in the code, where they are short.
template <class Form, class Tuning>
constexpr int unroll_passes() {
  return Tuning::tile_rows * Tuning::tile_cols * Form::k <= 64 ? tile_place<Form, Tuning>::passes : 1;
}

/// Blocks a multiprocessor shall hold at least: leaves 128 registers a thread, where Phased, which needs more for its
/// addresses, all that there are.
constexpr int packed_blocks(int threads, bool phased) {
  const int wanted = phased ? 256 : 512;
  return threads >= wanted ? 1 : wanted / threads;
}

/// out (m,n) = alpha left (m,k) right (k,n) + beta out, where Adds, for every product. Phased: operands start anywhere.
template <class T, class Form, class Tuning, bool Adds, bool Phased>
__global__ void __launch_bounds__(Tuning::threads, packed_blocks(Tuning::threads, Phased))
    packed_gemm(const __grid_constant__ packed_arguments<T> a) {
  using tile_type = tile_place<Form, Tuning>;
  using how = mover<Phased, Tuning::loads, Tuning::threads>;
  constexpr packed_plan at(Form::sizes, int(sizeof(T)), Tuning{}, Phased);
  constexpr int group = Tuning::matrices, rows = Tuning::tile_rows, cols = Tuning::tile_cols;
  constexpr bool left_shared = is_shared(Form::sizes.left), right_shared = is_shared(Form::sizes.right);
  constexpr int vector = Phased || is_by_rows(Form::sizes.left) ? 1 : Tuning::row_vector;
  static_assert(Phased || at.starts_on_pieces);
  static_assert(!Tuning::over_a || tile_type::passes == 1, "C over A: all of A has to be read by then");
  extern __shared__ __align__(16) unsigned char memory[];

  const index_t first = (index_t(blockIdx.y) * gridDim.x + blockIdx.x) * group;
  if (first >= a.products) return;
  const index_t behind = a.products - first - group;
  const int count = behind < 0 ? group + int(behind) : group;
  const bool at_edge = (Phased && first == 0) || behind < 16;  // less than a piece may lie before or behind its shares

  using left_part = share<const T, at.left_tiles.entries, how>;
  using right_part = share<const T, at.right_tiles.entries, how>;
  using out_part = share<T, at.out_tiles.entries, how>;
  const left_part left_in(a.left + first * at.left_tiles.copy,
                          left_shared ? at.left_tiles.each : count * at.left_tiles.each, at_edge || left_shared);
  const right_part right_in(a.right + first * at.right_tiles.copy,
                            right_shared ? at.right_tiles.each : count * at.right_tiles.each, at_edge || right_shared);
  const out_part c(a.out + first * at.out_tiles.each, count * at.out_tiles.each, at_edge);
  T* const left = reinterpret_cast<T*>(memory + at.left) + left_in.phase;
  T* const right = reinterpret_cast<T*>(memory + at.right) + right_in.phase;
  T* const out = reinterpret_cast<T*>(memory + at.out) + c.phase;

  constexpr bool stages_c = Adds && !Tuning::over_a;
  const arrival arrived{reinterpret_cast<unsigned long long*>(memory + at.barrier)};
  if (how::by_engine() && threadIdx.x == 0) {
    arrived.init();
    arrived.expect(left_in.bytes_on_the_way() + right_in.bytes_on_the_way() + (stages_c ? c.bytes_on_the_way() : 0));
  }
  left_in.load(left, arrived);
  right_in.load(right, arrived);
  if constexpr (stages_c) c.load(out, arrived);
  const auto wait = [&] {
    wait_for_pieces();
    __syncthreads();
    if (how::by_engine()) arrived.wait();
  };

  T acc[cols][rows];
  const auto for_entries = [&](const tile_type& tile, auto what) {
#pragma unroll
    for (int j = 0; j < cols; ++j)
#pragma unroll
      for (int i = 0; i < rows; ++i)
        if (tile.covers(i, j))
          what(acc[j][i],
               tile.product * at.out_tiles.each + tile.row(i) * at.out_tiles.row + tile.col(j) * at.out_tiles.col);
  };
  const auto clear = [&] {
#pragma unroll
    for (int j = 0; j < cols; ++j)
#pragma unroll
      for (int i = 0; i < rows; ++i) acc[j][i] = T(0);
  };
  if constexpr (Tuning::over_a) {
    // The old C goes straight into the sums, on its way together with A and B.
    const tile_type tile(int(threadIdx.x));
    const bool active = tile.product < count, sums_on_top = Adds && a.alpha == T(1);
    clear();
    if (active && sums_on_top) for_entries(tile, [&](T& sum, int e) { sum = c.global[e]; });
    wait();
    if (sums_on_top && a.beta != T(1)) for_entries(tile, [&](T& sum, int) { sum *= a.beta; });
    if (active) multiply_tile<vector>(acc, tile, left, at.left_tiles, right, at.right_tiles);
    __syncthreads();
    if (active) {
      if (!Adds || sums_on_top)
        for_entries(tile, [&](T sum, int e) { out[e] = a.alpha * sum; });
      else
        for_entries(tile, [&](T sum, int e) { out[e] = a.alpha * sum + a.beta * c.global[e]; });
    }
  } else {
    wait();
#pragma unroll unroll_passes < Form, Tuning>()
    for (int pass = 0; pass < tile_type::passes; ++pass) {
      const tile_type tile(pass * Tuning::threads + int(threadIdx.x));
      if (tile.product >= count) continue;
      clear();
      multiply_tile<vector>(acc, tile, left, at.left_tiles, right, at.right_tiles);
      for_entries(tile, [&](T sum, int e) { out[e] = Adds ? a.alpha * sum + a.beta * out[e] : a.alpha * sum; });
    }
  }
  c.before_store();
  __syncthreads();
  c.store(out);
}

}  // namespace tessera::device
