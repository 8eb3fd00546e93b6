// SPDX-License-Identifier: BSD-3-Clause
// The tile of C that one thread of the packed gemm kernel computes.
#pragma once

#include <tessera/detail/packed_plan.hpp>
#include <tessera/gpu/detail/elements.cuh>

namespace tessera::device {

/// packed_sizes as a type of integers.
template <int M, int N, int K, int LeftLayout = 0, int RightLayout = 0, int OutLayout = 0>
struct packed_form {
  static constexpr packed_sizes sizes{
      M, N, K, {packed_layout(LeftLayout), packed_layout(RightLayout), packed_layout(OutLayout)}};
  static constexpr int m = M, n = N, k = K;
};

/// The unroll factor of a tile's loop over k: fully unrolled, the compiler loads everything first and large tiles
/// spill.
constexpr int unroll_of_tile(int k, int loads_a_step) {
  if (k <= 16 && k * loads_a_step <= 96) return k;
  return loads_a_step <= 8 ? 8 : 4;
}

/// Rows and columns are interleaved with other threads', rows in vectors, so that lanes read adjacent entries.
template <class Types, class Form, class Tuning>
struct tile_place {
  static constexpr int rows = Tuning::tile_rows, cols = Tuning::tile_cols, vector = Tuning::row_vector;
  static_assert(vector >= 1 && Form::m % vector == 0 && rows % vector == 0, "row_vector: see fits.hpp");
  static constexpr int down = (Form::m + rows - 1) / rows, across = (Form::n + cols - 1) / cols;
  static constexpr int each = down * across, all = Tuning::matrices * each;
  static constexpr int passes = (all + Tuning::threads - 1) / Tuning::threads;
  /// In straight-line code, if they are short and few.
  static constexpr int passes_together = rows * cols * Form::k <= 64 && passes <= 16 ? passes : 1;

  using Sum = typename Types::sum;
  using sums = Sum[cols][rows];
  __device__ static Sum& entry(sums& all_sums, int i, int j) { return all_sums[j][i]; }

  int product, first_row, first_col;

  __device__ tile_place(int pass, int thread) : product((pass * Tuning::threads + thread) / each) {
    const int in_product = pass * Tuning::threads + thread - product * each;
    first_col = in_product / down;
    first_row = (in_product - first_col * down) * vector;
  }
  __device__ int row(int i) const { return first_row + i / vector * vector * down + i % vector; }
  __device__ int col(int j) const { return first_col + j * across; }
  __device__ bool covers(int i, int j) const { return row(i) < Form::m && col(j) < Form::n; }

  /// to(i,j) += sum_k left(row(i), k) right(k, col(j)), k ascending. Vector: rows of A in one access.
  template <packed_tiles InLeft, packed_tiles InRight, int Vector, class In>
  __device__ void multiply(sums& to, const In* left, const In* right) const {
    using piece = side_by_side<In, Vector>;
    const In* const a = left + product * InLeft.copy;
    const In* const b = right + product * InRight.copy;
#pragma unroll unroll_of_tile(Form::k, rows + cols)
    for (int k = 0; k < Form::k; ++k) {
      Sum x[rows], y[cols];
#pragma unroll
      for (int i = 0; i < rows; i += Vector) {
        const piece side = *reinterpret_cast<const piece*>(a + row(i) * InLeft.row + k * InLeft.col);
#pragma unroll
        for (int v = 0; v < Vector; ++v) x[i + v] = taken_in<Sum, Types::left_conjugated>(side.at[v]);
      }
#pragma unroll
      for (int j = 0; j < cols; ++j)
        y[j] = taken_in<Sum, Types::right_conjugated>(read_entry(b + (k * InRight.row + col(j) * InRight.col)));
#pragma unroll
      for (int j = 0; j < cols; ++j)
#pragma unroll
        for (int i = 0; i < rows; ++i) add_product(to[j][i], x[i], y[j]);
    }
  }
};

}  // namespace tessera::device
