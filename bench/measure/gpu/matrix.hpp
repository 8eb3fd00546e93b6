// SPDX-License-Identifier: BSD-3-Clause
// Launches chains of FP64 matrix instructions; they live in a translation unit built for Hopper alone.
#pragma once

namespace tessera::bench::device {

/// Returns the flops that the launch does. Runs on capability 9.0 only.
double launch_matrix_chains(double* out, int blocks, int rounds);

}  // namespace tessera::bench::device
