// SPDX-License-Identifier: BSD-3-Clause
// Bank conflicts of a warp in shared memory, counted address by address.
#pragma once

#include <tessera/detail/fits.hpp>

namespace tessera::tune {

/// Steps of the loop over k: of four k each with tensor cores.
int steps_of(const gpu_gemm_tuning& t, const gemm_form& f);

/// Entries of A and of B that a thread reads in one access: a vector of rows, or the steps of k that the compiler
/// merges if they are adjacent and lines are aligned.
struct access_widths {
  int left = 1, right = 1;
};
access_widths widths_of(const gpu_gemm_tuning& t, const gemm_form& f);

/// How the tiles of a block are distributed over its warps.
struct tile_warps {
  int count = 0;   // warps with at least one tile, over all passes
  int passes = 0;  // tiles of the busiest thread
};
tile_warps warps_of(const gpu_gemm_tuning& t, const gemm_form& f);

/// Cycles of one access by a warp, means over the block's warps: to entries of A, B and C, and without conflicts.
struct bank_cycles {
  double left = 1, right = 1, out = 1;
  double least_left = 1, least_right = 1, least_out = 1;
  /// Sectors of 32 bytes that accesses to C in global memory touch, divided by the sectors of C.
  double sectors = 1;
};
bank_cycles bank_cycles_of(const gpu_gemm_tuning& t, const gemm_form& f);

}  // namespace tessera::tune
