// SPDX-License-Identifier: BSD-3-Clause
// The GPU tuning of sizes that nobody measured, and that no record is near to.
#pragma once

#include <optional>

#include <tessera/fits.hpp>

namespace tessera {

/// Of the tunings that fit, the one whose block is closest to what has been good on an H200: no idle lanes, square
/// tiles, a few kilobytes of operands. Nothing where none fits: a product larger than a block's shared memory.
std::optional<gpu_gemm_tuning> modelled_gpu_tuning(const gemm_form& f, const gpu_limits& l);

/// Of a tuning that was found for another size: whether the model thinks nearly as well of it as of its own choice. Of
/// 61 random products on an H200 (f64, streamed, nn to tt), those of which it did ran at 0.98 of the speed of copying
/// and more, its own choices at 0.92 and more, the others at 0.40 to 1.02.
bool is_worth_passing_on(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& l);

}  // namespace tessera
