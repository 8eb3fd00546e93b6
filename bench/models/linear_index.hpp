// SPDX-License-Identifier: BSD-3-Clause
// The place of a tensor's entry in memory, with the first or with the last index nearest.
#pragma once

#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::bench::models {

/// Column-major, Fortran's and Tessera's: i_0 + D_0 (i_1 + D_1 (i_2 + ...)).
index_t first_index_nearest(const std::vector<index_t>& extents, const std::vector<index_t>& at);

/// Row-major, C's: the sum over m of i_m times the product of D_n over n > m.
index_t last_index_nearest(const std::vector<index_t>& extents, const std::vector<index_t>& at);

}  // namespace tessera::bench::models
