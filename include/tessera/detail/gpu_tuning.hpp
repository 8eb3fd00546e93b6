// SPDX-License-Identifier: BSD-3-Clause
// Tunings of the GPU's kernel families.
#pragma once

namespace tessera {

/// GPU gemm: a block takes `matrices` products; each thread owns a tile of tile_rows x tile_cols entries of C. The
/// initialisers are the baseline that tuning is compared with: they never change.
struct gpu_gemm_tuning {
  int matrices = 4;
  int threads = 128;
  int tile_rows = 2;
  int tile_cols = 2;
  int over_a = 0;        // 0: C has its own shared memory; otherwise see takes_place_of_input
  int loads = 0;         // 1: staging by every thread; 0: bulk copies
  int row_vector = 1;    // rows of A that a thread reads in one access
  int tensor_cores = 0;  // 1: tensor cores, in double; tiles of a warp interleave: see threads_down_a_tile

  friend constexpr bool operator==(const gpu_gemm_tuning&, const gpu_gemm_tuning&) = default;
};

/// Whether C reuses the shared memory of A (of B, if all products share A). over_a 1: always, an old C is read straight
/// to registers; 2: if there is no old C.
constexpr bool takes_place_of_input(int over_a, bool adds) { return over_a == 1 || (over_a == 2 && !adds); }

/// The threads that share a tile's rows and its columns: with tensor cores 8 x 4 of a warp.
template <class Tuning>
constexpr int threads_down_a_tile(const Tuning& t) {
  return t.tensor_cores ? 8 : 1;
}
template <class Tuning>
constexpr int threads_across_a_tile(const Tuning& t) {
  return t.tensor_cores ? 4 : 1;
}

}  // namespace tessera
