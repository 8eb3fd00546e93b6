// SPDX-License-Identifier: BSD-3-Clause
// deal.II's vectors of as many doubles as this module is compiled for, independent of the installed library's
// configuration.
#pragma once

#include <deal.II/base/config.h>

// Debian's package is configured for any x86-64 and disables vectors in its library, but not in its templates. Headers
// after this one have the width of this module.
#undef DEAL_II_VECTORIZATION_WIDTH_IN_BITS
#define DEAL_II_VECTORIZATION_WIDTH_IN_BITS (64 * TESSERA_BENCH_DEALII_LANES)

#include <deal.II/base/vectorization.h>

namespace tessera::bench::dealii_peer {

inline constexpr unsigned lane_count = TESSERA_BENCH_DEALII_LANES;

// deal.II's default width was set above, by config.h, so it must be named.
using lanes = dealii::VectorizedArray<double, lane_count>;

}  // namespace tessera::bench::dealii_peer
