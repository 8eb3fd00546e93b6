// SPDX-License-Identifier: BSD-3-Clause
// The register tile: `vectors` SIMD vectors by `columns` columns of C, kept in registers over the whole k loop.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::simd {

/// f(constant<0>{}), f(constant<1>{}), ...: always unrolled, so that arrays become registers.
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  [&]<int... I>(sequence<I...>) __attribute__((always_inline)) { (f(constant<I>{}), ...); }
  (iota<N>{});
}

/// f(constant<value>{}) for a value in [1, max].
template <int max, class F>
[[gnu::always_inline]] inline void dispatch(index_t value, F f) {
  [&]<int... I>(sequence<I...>) __attribute__((always_inline)) {
    (void)((value == I + 1 && (f(constant<I + 1>{}), true)) || ...);
  }
  (iota<max>{});
}

/// True for constant<V>: a size or a stride known at compile time.
template <class Size>
inline constexpr bool is_static = requires {
  Size::value;
};

/// The known size, or -1.
template <class Size>
constexpr index_t static_size() {
  if constexpr (is_static<Size>)
    return Size::value;
  else
    return -1;
}

/// How a tile is stored: out = alpha tile + beta out.
template <class T>
struct scale {
  T alpha = T(1), beta = T(0);
};

/// The tile's row side: `tail` lanes of its last vector belong to the matrix where `partial`, all of them otherwise.
template <class Isa, class T, int vectors, int columns, bool partial>
struct tile {
  using vector = typename Isa::template vector<T>;
  static constexpr int lanes = int(vector::size);
  // A plain first product saves an instruction; with 16 registers the compiler delays it too long and spills. The two
  // may differ in the sign of a zero, so all tiles of an ISA start in the same way.
  static constexpr bool starts_with_product = Isa::registers > 16;
  vector c[columns][vectors];

  [[gnu::always_inline]] static vector load(const T* p, int v, int tail) {
    if (partial && v == vectors - 1) return Isa::load_first(p + v * lanes, tail);
    return vector::load_unaligned(p + v * lanes);
  }
  template <bool pieces>
  [[gnu::always_inline]] static void store_rows(T* p, int v, int tail, const vector& value) {
    if (partial && v == vectors - 1)
      pieces ? Isa::store_pieces(p + v * lanes, tail, value) : Isa::store_first(p + v * lanes, tail, value);
    else
      value.store_unaligned(p + v * lanes);
  }

  [[gnu::always_inline]] static void load_column(vector (&left)[vectors], const T* a, int tail) {
    unrolled<vectors>([&](auto v) __attribute__((always_inline)) { left[v] = load(a, int(v), tail); });
  }

  /// c (+)= left b(0, :)
  template <bool first, class Column>
  [[gnu::always_inline]] void step(const vector (&left)[vectors], const T* b, Column b_column) {
    unrolled<columns>([&](auto j) __attribute__((always_inline)) {
      const vector right(b[j * b_column]);
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
        if constexpr (first)
          c[j][v] = left[v] * right;
        else
          c[j][v] = Isa::fma(left[v], right, c[j][v]);
      });
    });
  }

  /// c (+)= a(:, 0) b(0, :)
  template <bool first, class Column>
  [[gnu::always_inline]] void step(const T* a, int tail, const T* b, Column b_column) {
    vector left[vectors];
    load_column(left, a, tail);
    step<first>(left, b, b_column);
  }

  /// c = a b with k ascending: a (rows, k) with columns `a_column` apart, b (k, columns).
  template <int unroll_k, class K, class AColumn, class BRow, class BColumn>
  [[gnu::always_inline]] void multiply(K k, const T* a, AColumn a_column, int tail, const T* b, BRow b_row,
                                       BColumn b_column) {
    index_t end = k;
    // If it unrolls this loop completely, g++ 12 spills separate products and sums: hide the loop's length.
    if constexpr (is_static<K> && unroll_k > 0 && !Isa::fused) asm("" : "+r"(end));
    index_t l = 0;
    if (starts_with_product && end > 0) {
      step<true>(a, tail, b, b_column);
      l = 1;
    } else {
      clear();
    }
    if constexpr (is_static<K> && unroll_k == 0) {  // NOLINT(bugprone-branch-clone): the pragmas differ
#pragma GCC unroll 64
      for (; l < end; ++l) step<false>(a + l * a_column, tail, b + l * b_row, b_column);
    } else {
#pragma GCC unroll 4
      for (; l < end; ++l) step<false>(a + l * a_column, tail, b + l * b_row, b_column);
    }
  }

  /// The same, bit for bit, for any k > 0, in a short loop.
  template <class BRow, class BColumn>
  [[gnu::always_inline]] void multiply_rolled(index_t k, const T* a, index_t a_column, int tail, const T* b, BRow b_row,
                                              BColumn b_column) {
    if constexpr (starts_with_product) {
      step<true>(a, tail, b, b_column);
      a += a_column, b += b_row, --k;
    } else {
      clear();
    }
#pragma GCC unroll 1
    for (; k > 0; --k, a += a_column, b += b_row) step<false>(a, tail, b, b_column);
  }

  /// The same, bit for bit, with all columns of a in registers of the caller.
  template <int k, class BRow, class BColumn>
  [[gnu::always_inline]] void multiply(const vector (&left)[k][vectors], const T* b, BRow b_row, BColumn b_column) {
    if constexpr (!starts_with_product) clear();
    unrolled<k>([&](auto l) __attribute__((always_inline)) {
      step<starts_with_product&& decltype(l)::value == 0>(left[l], b + l * b_row, b_column);
    });
  }

  /// out = c
  template <class OutColumn>
  [[gnu::always_inline]] void store(T* out, OutColumn out_column, int tail) {
    each([&](const vector& value, int j, int v)
             __attribute__((always_inline)) { store_rows<false>(out + j * out_column, v, tail, value); });
  }

  /// The same, with one address for all columns: a compiler that computes them ahead of a loop needs a register each.
  [[gnu::always_inline]] void store_in_turn(T* out, index_t out_column, int tail) {
    unrolled<columns>([&](auto j) __attribute__((always_inline)) {
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) { store_rows<false>(out, int(v), tail, c[j][v]); });
      out += out_column;
      asm volatile("" : "+r"(out));
    });
  }

  /// All lanes of c, column by column.
  [[gnu::always_inline]] void keep(T* to) {
    each([&](const vector& value, int j, int v)
             __attribute__((always_inline)) { value.store_unaligned(to + (j * vectors + v) * lanes); });
  }

  /// beta = 0 never reads out.
  template <class OutColumn>
  [[gnu::always_inline]] void finish(const scale<T>& s, T* out, OutColumn out_column, int tail) {
    if (s.alpha != T(1)) {
      const vector alpha(s.alpha);
      each([&](vector & value, int, int) __attribute__((always_inline)) { value = alpha * value; });
    }
    if (s.beta == T(0)) {
      store(out, out_column, tail);
    } else if (s.beta == T(1)) {
      each([&](vector & value, int j, int v)
               __attribute__((always_inline)) { value = value + load(out + j * out_column, v, tail); });
      each([&](const vector& value, int j, int v)
               __attribute__((always_inline)) { store_rows<true>(out + j * out_column, v, tail, value); });
    } else {
      const vector beta(s.beta);
      each([&](const vector& value, int j, int v) __attribute__((always_inline)) {
        store_rows<true>(out + j * out_column, v, tail, Isa::fma(beta, load(out + j * out_column, v, tail), value));
      });
    }
  }

 private:
  [[gnu::always_inline]] void clear() {
    each([&](vector & value, int, int) __attribute__((always_inline)) { value = vector(T(0)); });
  }
  template <class F>
  [[gnu::always_inline]] void each(F f) {
    unrolled<columns>([&](auto j) __attribute__((always_inline)) {
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) { f(c[j][v], int(j), int(v)); });
    });
  }
};

}  // namespace tessera::simd
