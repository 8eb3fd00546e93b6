// SPDX-License-Identifier: BSD-3-Clause
// The GPU tuning of sizes that were not measured and have no record close by.
#pragma once

#include <optional>

#include <tessera/detail/fits.hpp>

namespace tessera {

/// Of the tunings that fit, the one whose block is closest to what was fast on an H200: no idle lanes, square tiles, a
/// few kilobytes of operands. Empty if none fits: the product is larger than the shared memory of a block.
std::optional<gpu_gemm_tuning> modelled_gpu_tuning(const gemm_form& f, const gpu_limits& l);

/// Whether the model rates a tuning that was found for another size nearly as high as its own choice. Of 61 random
/// products on an H200 (f64, streamed, nn to tt), tunings that it rates so ran at 0.98 of the speed of copying or more,
/// its own choices at 0.92 or more, the others at 0.40 to 1.02.
bool is_worth_passing_on(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& l);

}  // namespace tessera
