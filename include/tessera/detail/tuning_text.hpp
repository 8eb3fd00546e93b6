// SPDX-License-Identifier: BSD-3-Clause
// Tunings as text, for descriptions and explanations.
#pragma once

#include <string>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/element/element_run.hpp>

namespace tessera::detail {

/// "tile of 2 vectors x 3 columns, k unrolled by 4"
std::string text_of(const cpu_gemm_tuning& t);
/// "24 products per block of 96 threads, tile 3x3"
std::string text_of(const gpu_gemm_tuning& t);
/// "prefetch 8 KiB ahead to L1, y by non-temporal stores"
std::string text_of(const element_run& r);
/// "5 elements per block of 128 threads"
std::string text_of(const element_tuning& t);

}  // namespace tessera::detail
