// SPDX-License-Identifier: BSD-3-Clause
// Tuning is data: one flat struct per kernel family and target, used as the kernels' template argument.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// CPU gemm: a register tile of `row_vectors` SIMD vectors by `columns` columns of C, kept over the whole k loop.
struct cpu_gemm_tuning {
  int row_vectors = 1;
  int columns = 4;
  int unroll_k = 4;    // 0: fully unrolled
  bool plain = false;  // the constexpr triple loop, vectorised by the compiler for this ISA: wins at the smallest n

  friend constexpr bool operator==(const cpu_gemm_tuning&, const cpu_gemm_tuning&) = default;
};

/// GPU gemm: a block takes `matrices` products; each thread owns a tile of tile_rows x tile_cols entries of C.
struct gpu_gemm_tuning {
  int matrices = 4;
  int threads = 128;
  int tile_rows = 2;
  int tile_cols = 2;

  friend constexpr bool operator==(const gpu_gemm_tuning&, const gpu_gemm_tuning&) = default;
};

}  // namespace tessera
