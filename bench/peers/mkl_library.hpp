// SPDX-License-Identifier: BSD-3-Clause
// Finds Intel MKL: where an environment variable says, where the loader finds it, or where Python installed its wheel.
#pragma once

#include <string>
#include <vector>

#include "measure/shared_library.hpp"

namespace tessera::bench {

/// Its folder, in the environment: then it is searched nowhere else.
inline constexpr const char* mkl_variable = "TESSERA_BENCH_MKL";

/// What to open, in this order.
std::vector<std::string> mkl_candidates();

/// Opened once, with its own threads switched off and integers of 32 bits.
const shared_library& mkl_library();

/// The reason why it is not open.
std::string why_no_mkl();

/// "Intel MKL 2025.3, kernels of libmkl_avx512.so.2": its version, and the library whose kernels it loaded by now.
std::string mkl_version();

}  // namespace tessera::bench
