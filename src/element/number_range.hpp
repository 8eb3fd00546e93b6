// SPDX-License-Identifier: BSD-3-Clause
// The numbers that a type of stored values can represent, and whether given ones are among them.
#pragma once

#include <cmath>
#include <limits>

#include <tessera/scalar.hpp>

namespace tessera::detail {

/// What numbers of D may be where it is kept in another type than it is computed in.
template <class T>
struct number_range {
  T least, most;  // in size; zero is always in it
  const char* type;

  template <class Stored>
  static constexpr number_range of() {
    return {T(std::numeric_limits<Stored>::min()), T(std::numeric_limits<Stored>::max()), name_of(scalar_of<Stored>)};
  }
};

/// True where all sizes are at most `most`, which no number that is not finite is.
template <class T>
bool all_within(const T* values, index_t count, T most) {
  int out = 0;
  for (index_t i = 0; i < count; ++i) out += std::abs(values[i]) <= most ? 0 : 1;
  return out == 0;
}

/// False where no number reaches the least size, though some are not zero.
template <class T>
bool reaches(const T* values, index_t count, T least) {
  int seen = 0, other = 0;
  for (index_t i = 0; i < count; ++i) {
    seen += std::abs(values[i]) >= least ? 1 : 0;
    other += values[i] != T(0) ? 1 : 0;
  }
  return seen > 0 || other == 0;
}

}  // namespace tessera::detail
