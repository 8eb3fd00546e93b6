// SPDX-License-Identifier: BSD-3-Clause
// How a result meets what the output held before: out = alpha (contraction) + beta out.
#pragma once

namespace tessera {

/// beta = 0 never reads the output, which may hold anything, NaN included.
struct scaling {
  double alpha = 1;
  double beta = 0;
};

inline constexpr scaling assign{1, 0};
inline constexpr scaling add{1, 1};

}  // namespace tessera
