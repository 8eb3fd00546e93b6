// SPDX-License-Identifier: BSD-3-Clause
// One matrix product from register tiles: splits C into panels of rows and blocks of columns, sizes static or run-time.
#pragma once

#include <tessera/cpu/detail/column_blocks.hpp>
#include <tessera/cpu/detail/kept_panel.hpp>
#include <tessera/cpu/detail/tile.hpp>
#include <tessera/detail/tuning.hpp>

namespace tessera::simd {

/// Operands of one product: a (m, k) and out (m, n) have contiguous columns, b (k, n) any strides. Sizes and strides
/// are constant<V> where known at compile time.
template <class T, class M, class N, class K, class AColumn, class BRow, class BColumn, class OutColumn>
struct product {
  M m;
  N n;
  K k;
  const T* a;
  AColumn a_column;
  const T* b;
  BRow b_row;
  BColumn b_column;
  T* out;
  OutColumn out_column;
};

namespace detail {

// Columns [j, j + columns) of one panel of rows.
template <class Isa, int unroll_k, int vectors, bool partial, int columns, class T, class Product>
[[gnu::always_inline]] inline void block(const Product& p, const scale<T>& s, index_t row, index_t j, int tail) {
  const T *a = p.a + row, *b = p.b + j * p.b_column;
  // Keeps the loads inside the block. If blocks share them, they are spilled (AVX-512, n = 32: a quarter of the speed;
  // baseline, n = 11: 700 accesses to the stack).
  asm volatile("" : "+r"(a), "+r"(b) : : "memory");
  tile<Isa, T, vectors, columns, partial> c;
  c.template multiply<unroll_k>(p.k, a, p.a_column, tail, b, p.b_row, p.b_column);
  c.finish(s, p.out + row + j * p.out_column, p.out_column, tail);
}

// All columns of the panel of rows that starts at `row`.
template <class Isa, cpu_gemm_tuning tuning, int vectors, bool partial, class T, class Product>
[[gnu::always_inline]] inline void panel(const Product& p, const scale<T>& s, index_t row, int tail) {
  constexpr index_t depth = static_size<decltype(Product::k)>();
  if constexpr (tuning.keep_left != 0 && depth > 0) {
    kept_panel<Isa, T, vectors, int(depth), partial> left(p.a + row, p.a_column, tail);  // const: in memory (g++ 12)
    left.template multiply<tuning.columns>(p, s, row);
  } else {
    each_block<tuning.columns>(
        p.n, [&](auto count, index_t j) __attribute__((always_inline)) {
          block<Isa, tuning.unroll_k, vectors, partial, int(count.value)>(p, s, row, j, tail);
        });
  }
}

}  // namespace detail

/// out = alpha a b + beta out. The order of k is ascending, and the same for every entry of C.
template <class Isa, cpu_gemm_tuning tuning, class T, class Product>
[[gnu::always_inline]] inline void multiply(const Product& p, const scale<T>& s) {
  constexpr int lanes = int(Isa::template vector<T>::size), rows = lanes * tuning.row_vectors;
  constexpr index_t size = static_size<decltype(Product::m)>();
  index_t row = 0;
  for (; row + rows <= p.m; row += rows) detail::panel<Isa, tuning, tuning.row_vectors, false>(p, s, row, lanes);
  if constexpr (computes_half<Isa, T, size, tuning>()) {
    constexpr int whole = int(size % rows) / lanes, tail = int(size % lanes);
    if constexpr (whole > 0) detail::panel<Isa, tuning, whole, false>(p, s, row, lanes);
    detail::panel<typename Isa::half, tuning, 1, (tail < lanes / 2)>(p, s, row + whole * lanes, tail);
  } else if constexpr (size >= 0) {
    constexpr int rest = int(size % rows), tail = rest % lanes;
    if constexpr (rest > 0)
      detail::panel<Isa, tuning, (rest + lanes - 1) / lanes, (tail > 0)>(p, s, row, tail > 0 ? tail : lanes);
  } else {
    const int rest = int(p.m - row), tail = rest % lanes;
    if (rest == 0) return;
    dispatch<tuning.row_vectors>((rest + lanes - 1) / lanes, [&](auto vectors) __attribute__((always_inline)) {
      if (tail > 0)
        detail::panel<Isa, tuning, int(vectors.value), true>(p, s, row, tail);
      else if constexpr (vectors.value < tuning.row_vectors)
        detail::panel<Isa, tuning, int(vectors.value), false>(p, s, row, lanes);
    });
  }
}

}  // namespace tessera::simd
