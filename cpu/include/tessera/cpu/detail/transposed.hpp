// SPDX-License-Identifier: BSD-3-Clause
// Copies of matrices whose rows are contiguous, column by column: transposed in registers.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::simd::detail {

/// Four numbers as the compiler's own vector: shuffles that every instruction set has.
template <class T>
struct four_of;
template <>
struct four_of<float> {
  using type = float __attribute__((vector_size(16)));
};
template <>
struct four_of<double> {
  using type = double __attribute__((vector_size(32)));
};

// to (r, c) = from (r, c) for a block of 4 x 4: from's rows are `row` apart, to's columns `column`.
template <class Isa, class T>
[[gnu::always_inline]] inline void transpose_block(const T* from, index_t row, T* to, index_t column) {
  using four = typename four_of<T>::type;
  four r0, r1, r2, r3;
  __builtin_memcpy(&r0, from, sizeof r0);
  __builtin_memcpy(&r1, from + row, sizeof r1);
  __builtin_memcpy(&r2, from + 2 * row, sizeof r2);
  __builtin_memcpy(&r3, from + 3 * row, sizeof r3);
  const four low01 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6), high01 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
  const four low23 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6), high23 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
  const four c0 = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  const four c1 = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  const four c2 = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  const four c3 = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  __builtin_memcpy(to, &c0, sizeof c0);
  __builtin_memcpy(to + column, &c1, sizeof c1);
  __builtin_memcpy(to + 2 * column, &c2, sizeof c2);
  __builtin_memcpy(to + 3 * column, &c3, sizeof c3);
}

/// to (r, c) = from (r, c) for `products` matrices (m, k), `next` and `to_next` apart: from's rows are `row` apart and
/// its columns `from_column`, to's columns `column`.
template <class Isa, class T>
[[gnu::noinline]] void copy_columns(const T* from, index_t next, index_t row, index_t from_column, index_t m, index_t k,
                                    index_t products, T* to, index_t to_next, index_t column) {
  const index_t whole_m = from_column == 1 ? m / 4 * 4 : 0, whole_k = whole_m > 0 ? k / 4 * 4 : 0;
  const auto entries = [&](index_t first_row, index_t last_row, index_t first, index_t last)
      __attribute__((always_inline)) {
    for (index_t c = first; c < last; ++c)
      for (index_t r = first_row; r < last_row; ++r) to[c * column + r] = from[r * row + c * from_column];
  };
  for (; products > 0; --products, from += next, to += to_next) {
    for (index_t c = 0; c < whole_k; c += 4)
      for (index_t r = 0; r < whole_m; r += 4)
        transpose_block<Isa>(from + r * row + c, row, to + r + c * column, column);
    entries(0, whole_m, whole_k, k);
    entries(whole_m, m, 0, k);
  }
}

}  // namespace tessera::simd::detail
