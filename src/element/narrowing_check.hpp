// SPDX-License-Identifier: BSD-3-Clause
// Whether D that is given survives in the type that it is kept in.
#pragma once

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

namespace tessera::detail {

/// Factor f of point k of element first + e is values[f + factors (k + points e)]. Throws naming the first that is a
/// number in T and none in Stored, before any is kept.
template <class Stored, class T>
void check_narrowing(const T* values, index_t first, index_t count, index_t points, int factors) {
  if constexpr (sizeof(Stored) < sizeof(T)) {
    constexpr T most = T(std::numeric_limits<Stored>::max());
    const index_t entries = points * factors;
    for (index_t i = 0; i < count * entries; ++i) {
      if (!std::isfinite(values[i]) || std::abs(values[i]) <= most) continue;
      char number[32];
      std::snprintf(number, sizeof number, "%g", double(values[i]));
      throw error("point_data::set: element " + std::to_string(first + i / entries) + ": D at point " +
                      std::to_string(i % entries / factors) + " of " + std::to_string(points) + " is " + number +
                      ", too large for " + name_of(scalar_of<Stored>),
                  status::invalid_argument);
    }
  }
}

}  // namespace tessera::detail
