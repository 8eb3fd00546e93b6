// SPDX-License-Identifier: BSD-3-Clause
// The largest of differences, of which none is worse than no number.
#pragma once

#include <cmath>

namespace tessera::testing {

/// std::max would leave out an `off` that is no number; once `worst` is none, it stays so.
template <class T>
void take_worst(T& worst, T off) {
  if (std::isnan(off) || off > worst) worst = off;
}

}  // namespace tessera::testing
