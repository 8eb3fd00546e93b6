// SPDX-License-Identifier: BSD-3-Clause
// What batches of factored matrices have in common on a CPU and on a GPU.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::detail {

inline constexpr int most_cholesky_rows = 128;

/// Numbers of a factored matrix: L below its diagonal, and 1 / D.
constexpr index_t cholesky_numbers(index_t n) { return n * (n + 1) / 2; }

/// The first pivot that is not positive, or has no inverse; matrix -1: none.
struct cholesky_failure {
  index_t matrix = -1;
  int row = 0;
  double pivot = 0;
};

}  // namespace tessera::detail
