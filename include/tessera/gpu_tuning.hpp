// SPDX-License-Identifier: BSD-3-Clause
// Tunings of the GPU's kernel families.
#pragma once

namespace tessera {

/// GPU gemm: a block takes `matrices` products; each thread owns a tile of tile_rows x tile_cols entries of C. The
/// initialisers are the default that tuning is measured against: they never change.
struct gpu_gemm_tuning {
  int matrices = 4;
  int threads = 128;
  int tile_rows = 2;
  int tile_cols = 2;
  int over_a = 0;      // 1: C takes A's place in shared memory (where A is shared, B's), an old C goes to registers
  int loads = 0;       // 1: staging by every thread; 0: bulk copies
  int row_vector = 1;  // rows of A that a thread reads in one access

  friend constexpr bool operator==(const gpu_gemm_tuning&, const gpu_gemm_tuning&) = default;
};

}  // namespace tessera
