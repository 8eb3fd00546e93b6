// SPDX-License-Identifier: BSD-3-Clause
// The tile of C that a warp of the packed gemm kernel computes on tensor cores: squares of 8 x 8.
#pragma once

#include <tessera/detail/order_of_k.hpp>
#include <tessera/gpu/detail/packed_tile.cuh>
#include <tessera/gpu/detail/tensor_core.cuh>

namespace tessera::device {

/// As tile_place; the lanes of a warp are arranged 8 x 4 over a tile, each with pairs of columns.
template <class Types, class Form, class Tuning, class Core = tensor_core>
struct warp_place {
  static constexpr int rows = Tuning::tile_rows, pairs = Tuning::tile_cols / 2, vector = Tuning::row_vector;
  static constexpr int lanes = 32, square = Core::square;
  static_assert(Tuning::tile_cols % 2 == 0 && Form::m % vector == 0 && rows % vector == 0, "see fits.hpp");
  static_assert(same_type<typename Types::in, double> && same_type<typename Types::sum, double>);
  static constexpr int down = (Form::m + square * rows - 1) / (square * rows),
                       across = (Form::n + square * pairs - 1) / (square * pairs);
  static constexpr int warps = Tuning::threads / lanes, each = down * across, all = Tuning::matrices * each;
  static constexpr int passes = (all + warps - 1) / warps, passes_together = 1;

  using sums = double[rows][pairs][2];
  __device__ static double& entry(sums& all_sums, int i, int j) { return all_sums[i][j / 2][j % 2]; }

  int product, first_row, first_col, group, quarter;  // lane = 4 group + quarter

  __device__ warp_place(int pass, int thread)
      : product((pass * warps + thread / lanes) / each), group(thread % lanes / 4), quarter(thread % 4) {
    const int in_product = pass * warps + thread / lanes - product * each;
    first_col = in_product / down * (square * pairs);
    first_row = in_product % down * (square * rows);
  }
  __device__ int row(int i) const { return first_row + i / vector * vector * square + group * vector + i % vector; }
  __device__ int col(int j) const { return first_col + j / 2 * square + 2 * quarter + j % 2; }
  __device__ bool covers(int i, int j) const { return row(i) < Form::m && col(j) < Form::n; }

  /// All lanes of a warp take part. Rows and columns beyond the last one are computed from other entries and discarded.
  template <packed_tiles InLeft, packed_tiles InRight, int Vector>
  __device__ void multiply(sums& to, const double* left, const double* right) const {
    constexpr order_of_k order = order_for(Form::k, InLeft, rows / Vector, Vector, InRight, pairs);
    using piece = side_by_side<double, Vector>;
    const double* const a = left + product * InLeft.copy;
    const double* const b = right + product * InRight.copy;
#pragma unroll(order.steps() * (rows + pairs) <= 48 ? order.steps() : 2)
    for (int step = 0; step < order.steps(); ++step) {
      const int k = order.at(step, quarter);
      const bool inside = Form::k % 4 == 0 || k < Form::k;
      double x[rows], y[pairs];
#pragma unroll
      for (int i = 0; i < rows; i += Vector) {
        piece side = {};
        if (inside)
          side = *reinterpret_cast<const piece*>(a + within(row(i), Form::m - Vector) * InLeft.row + k * InLeft.col);
#pragma unroll
        for (int v = 0; v < Vector; ++v) x[i + v] = side.at[v];
      }
#pragma unroll
      for (int j = 0; j < pairs; ++j)
        y[j] = inside ? b[k * InRight.row + within(first_col + square * j + group, Form::n - 1) * InRight.col] : 0;
#pragma unroll
      for (int j = 0; j < pairs; ++j) {
#pragma unroll
        for (int i = 0; i + 1 < rows; i += 2) Core::multiply_both(to[i][j], to[i + 1][j], x[i], x[i + 1], y[j]);
        if constexpr (rows % 2 != 0) Core::multiply(to[rows - 1][j], x[rows - 1], y[j]);
      }
    }
  }

 private:
  __device__ static int within(int place, int last) { return place < last ? place : last; }
};

template <class Types, class Form, class Tuning, bool TensorCores>
struct place_of_tile_type {
  using type = tile_place<Types, Form, Tuning>;
};
template <class Types, class Form, class Tuning>
struct place_of_tile_type<Types, Form, Tuning, true> {
  using type = warp_place<Types, Form, Tuning>;
};
template <class Types, class Form, class Tuning>
using place_of_tile = typename place_of_tile_type<Types, Form, Tuning, Tuning::tensor_cores>::type;

}  // namespace tessera::device
