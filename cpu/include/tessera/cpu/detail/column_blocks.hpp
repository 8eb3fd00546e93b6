// SPDX-License-Identifier: BSD-3-Clause
// Cuts the columns of C into blocks of known widths.
#pragma once

#include <tessera/cpu/detail/tile.hpp>

namespace tessera::simd::detail {

constexpr int power_of_two_below(int columns) {
  int power = 1;
  while (2 * power < columns) power *= 2;
  return columns > 1 ? power : 0;
}

// f(constant<count>{}, j) for the columns from j on, fewer than 2 `columns` of them, in blocks of decreasing powers of
// two.
template <int columns, class F>
[[gnu::always_inline]] inline void each_remaining_block(index_t n, index_t j, const F& f) {
  if constexpr (columns > 0) {
    if (j + columns <= n) {
      f(constant<columns>{}, j);
      j += columns;
    }
    each_remaining_block<columns / 2>(n, j, f);
  }
}

// f(constant<count>{}, j) for blocks of `columns` columns and for the remainder of n.
template <int columns, class N, class F>
[[gnu::always_inline]] inline void each_block(N n, const F& f) {
  constexpr index_t size = static_size<N>();
  if constexpr (size >= 0 && size <= columns) {
    if constexpr (size > 0) f(constant<size>{}, index_t(0));
  } else {
    index_t j = 0;
    for (; j + columns <= n; j += columns) f(constant<columns>{}, j);
    if constexpr (size >= 0) {
      if constexpr (size % columns > 0) f(constant<size % columns>{}, j);
    } else {
      each_remaining_block<power_of_two_below(columns)>(n, j, f);
    }
  }
}

}  // namespace tessera::simd::detail
