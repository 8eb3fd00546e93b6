// SPDX-License-Identifier: BSD-3-Clause
// Eigen's kernels as plain functions: they are compiled for this machine only, so they have a file of their own.
#pragma once

#include <algorithm>

#include "peers/peer.hpp"

namespace tessera::bench {

inline constexpr int eigen_largest = std::min(16, TESSERA_LARGEST_PEER);
inline constexpr int eigen_largest_complex = std::min(8, TESSERA_LARGEST_PEER);  // these take longer to compile

/// Computes a whole call of the function's shape.
using eigen_kernel = void (*)(const gemm_call&);

/// For squares; null for those that are too large, and for 16-bit types.
eigen_kernel find_eigen_kernel(scalar_type type, int n, bool accumulate);

/// World, major and minor, as 10000 world + 100 major + minor.
int eigen_version();

}  // namespace tessera::bench
