// SPDX-License-Identifier: BSD-3-Clause
// The GPU tuning of sizes that nobody measured, and that no record is near to.
#pragma once

#include <optional>

#include <tessera/fits.hpp>

namespace tessera {

/// Of the tunings that fit, the one whose block is closest to what has been good on an H200: no idle lanes, square
/// tiles, a few kilobytes of operands. Nothing where none fits: a product larger than a block's shared memory.
std::optional<gpu_gemm_tuning> modelled_gpu_tuning(const gemm_form& f, const gpu_limits& l);

}  // namespace tessera
