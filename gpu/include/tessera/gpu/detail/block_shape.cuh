// SPDX-License-Identifier: BSD-3-Clause
// A tuning as a template argument of kernels.
#pragma once

namespace tessera::device {

/// A gpu_gemm_tuning as a type of integers: host stubs of nvcc 13 do not compile for kernels with class-type values.
template <int Matrices, int Threads, int TileRows, int TileCols, int OverA = 0, int Loads = 0, int RowVector = 1,
          int TensorCores = 0>
struct block_shape {
  static constexpr int matrices = Matrices, threads = Threads, tile_rows = TileRows, tile_cols = TileCols;
  static constexpr int over_a = OverA, row_vector = RowVector;
  static constexpr bool loads = Loads != 0, tensor_cores = TensorCores != 0;
};

/// The unroll factor of the loop over k.
constexpr int unroll_of(int k) { return k <= 0 ? 4 : k <= 16 ? k : 8; }

}  // namespace tessera::device
