// SPDX-License-Identifier: BSD-3-Clause
// Launches chains of matrix instructions; they live in translation units built for Hopper alone.
#pragma once

namespace tessera::bench::device {

enum class matrix_unit { f64, tf32, f16, bf16 };

constexpr const char* name_of(matrix_unit unit) {
  switch (unit) {
    case matrix_unit::tf32: return "tf32";
    case matrix_unit::f16: return "f16";
    case matrix_unit::bf16: return "bf16";
    case matrix_unit::f64: break;
  }
  return "f64";
}

/// By mma. Returns the flops that the launch does; `out` is of 8 bytes. Runs on capability 9.0 only.
double launch_matrix_chains(matrix_unit unit, void* out, int blocks, int rounds);

/// The same by wgmma, whose factors are in shared memory; not in double.
double launch_group_chains(matrix_unit unit, void* out, int blocks, int rounds);

}  // namespace tessera::bench::device
