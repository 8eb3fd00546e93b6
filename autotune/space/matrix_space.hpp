// SPDX-License-Identifier: BSD-3-Clause
// The family of kernels of element matrices on a GPU: the candidates of a case, of every way that can make them.
#pragma once

#include <cstdint>

#include <tessera/detail/element/jit_matrix.hpp>

#include "space.hpp"

namespace tessera::tune {

/// A config holds a whole matrix_tuning, by its axes.
const family& matrix_family();

/// What a candidate is compiled from. `c` is a case of element matrices.
jit_matrix jit_matrix_of(const tuning_case& c, const config& how);

/// The tuning of the rules first, then `present`, where it is another and fits; then of each way in turn one more,
/// until there are `most`: those that records have of cases nearby, then others drawn by chance. There is no model:
/// predictions are 0.
space matrix_space(const tuning_case& c, const matrix_tuning& present, const gpu_limits& limits, int most,
                   std::uint64_t seed = 1);

}  // namespace tessera::tune
