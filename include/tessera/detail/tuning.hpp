// SPDX-License-Identifier: BSD-3-Clause
// Tuning is data: one flat struct of integers per kernel family and target, used as the kernels' template argument. The
// GPU's are in gpu_tuning.hpp.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Where a batch is during the computation: in cache from one call to the next, or streamed from memory.
enum class memory_regime { cache, stream };

constexpr const char* name_of(memory_regime r) { return r == memory_regime::cache ? "cache" : "stream"; }

/// CPU gemm: a register tile of `row_vectors` SIMD vectors by `columns` columns of C, kept over the whole k loop. The
/// initialisers are the baseline that tuning is compared with: they never change.
struct cpu_gemm_tuning {
  int row_vectors = 1;
  int columns = 4;
  int unroll_k = 4;   // 0: fully unrolled
  int plain = 0;      // 1: the constexpr triple loop, vectorised by the compiler for this ISA: wins at the smallest n
  int keep_left = 0;  // 1: a panel of A stays in registers over the columns of C; 0: a tile of C does
  int matrices = 1;   // products a task, in straight-line code
  int stream = 0;     // 1: results of a task by non-temporal stores, for C = A B over packed matrices
  int half_tail = 0;  // 1: rows that fill at most half of the last vector are computed in half a register

  friend constexpr bool operator==(const cpu_gemm_tuning&, const cpu_gemm_tuning&) = default;
};

}  // namespace tessera
