// SPDX-License-Identifier: BSD-3-Clause
// The kernels of interleaved batches: a block of C in several products, a product a lane. No transposition, no tails.
#pragma once

#include <tessera/cpu/detail/strip.hpp>

namespace tessera::simd {

namespace detail {

/// Rows and columns of a block: accumulators, a column of a and an entry of b stay in registers.
template <class Isa>
inline constexpr int most_lane_rows = Isa::registers > 16 ? 4 : 3;
template <class Isa>
inline constexpr int most_lane_columns = Isa::registers > 16 ? 5 : (Isa::fused ? 4 : 3);

// Without it g++ 12 loads an operand again for each product.
template <class Isa, class V>
[[gnu::always_inline]] inline void keep_loaded(V& v) {
  if constexpr (requires { Isa::keep(v); }) Isa::keep(v);
}

/// Each entry of a strip is a vector: rows, columns and k are at any distance.
template <class Isa, class T, int rows, int columns>
void run_lane_block(const strip<T>& p) {
  using vector = typename Isa::template vector<T>;
  const strip_shape<T>& of = *p.of;
  const index_t a_row = of.a_row, a_column = of.a_column, b_row = of.b_row, b_column = of.b_column;
  const index_t out_row = of.out_row, out_column = of.out_column;
  each_strip(
      p, [&](const T* left, const T* right, T* out) __attribute__((always_inline)) {
        // As a tile starts, so that entries around whole blocks of lanes get the same bits: minus zero stays minus
        // zero.
        const bool starts_with_product = Isa::registers > 16 && of.k > 0;
        vector c[columns][rows];
        unrolled<columns>([&](auto j) __attribute__((always_inline)) {
          unrolled<rows>([&](auto r) __attribute__((always_inline)) {
            c[j][r] = starts_with_product
                          ? vector::load_unaligned(left + r * a_row) * vector::load_unaligned(right + j * b_column)
                          : vector(T(0));
          });
        });
        index_t l = of.k;
        if (starts_with_product) --l, left += a_column, right += b_row;
#pragma GCC unroll 1
        for (; l > 0; --l, left += a_column, right += b_row) {
          vector x[rows];
          unrolled<rows>([&](auto r) __attribute__((always_inline)) {
            x[r] = vector::load_unaligned(left + r * a_row);
            keep_loaded<Isa>(x[r]);
          });
          unrolled<columns>([&](auto j) __attribute__((always_inline)) {
            vector y = vector::load_unaligned(right + j * b_column);
            keep_loaded<Isa>(y);
            unrolled<rows>([&](auto r) __attribute__((always_inline)) { c[j][r] = Isa::fma(x[r], y, c[j][r]); });
          });
        }
        const auto each = [&](const auto& f) __attribute__((always_inline)) {
          T* column = out;
          unrolled<columns>([&](auto j) __attribute__((always_inline)) {
            unrolled<rows>([&](auto r) __attribute__((always_inline)) { f(column + r * out_row, c[j][r]); });
            column += out_column;
            asm volatile("" : "+r"(column));
          });
        };
        if (of.overwrites) {
          each([](T * to, const vector& value) __attribute__((always_inline)) { value.store_unaligned(to); });
        } else {
          const vector alpha(of.s->alpha), beta(of.s->beta);
          if (of.s->beta == T(0))
            each([&](T * to, const vector& value)
                     __attribute__((always_inline)) { (alpha * value).store_unaligned(to); });
          else
            each([&](T * to, const vector& value) __attribute__((always_inline)) {
              Isa::fma(beta, vector::load_unaligned(to), alpha * value).store_unaligned(to);
            });
        }
      });
}

template <class Isa, class T, int rows, class Columns>
struct lane_blocks;
template <class Isa, class T, int rows, int... I>
struct lane_blocks<Isa, T, rows, sequence<I...>> {
  static constexpr strip_function<T> kernels[] = {&run_lane_block<Isa, T, rows, I + 1>...};
};

}  // namespace detail

/// The kernel of a block of so many rows and columns.
template <class Isa, class T>
[[gnu::always_inline]] inline strip_function<T> lane_kernel(int rows, int columns) {
  strip_function<T> found = nullptr;
  dispatch<detail::most_lane_rows<Isa>>(
      rows, [&](auto r) __attribute__((always_inline)) {
        found = detail::lane_blocks<Isa, T, int(r.value), iota<detail::most_lane_columns<Isa>>>::kernels[columns - 1];
      });
  return found;
}

}  // namespace tessera::simd
