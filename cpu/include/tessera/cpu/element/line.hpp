// SPDX-License-Identifier: BSD-3-Clause
// One 1-D contraction y = T x along a line of lanes, T being values or derivatives of a basis at points, or transposed.
#pragma once

#include <tessera/cpu/tile.hpp>
#include <tessera/element/evaluation_tables.hpp>

namespace tessera::simd {

/// The halves of a table that mirrors itself, T(m-1-k, n-1-i) = sign T(k,i): with e_i = x_i + x_{n-1-i} and
/// o_i = x_i - x_{n-1-i} for the first halves of k and i,
///
///     E_k = sum of even(k,i) e_i,  O_k = sum of odd(k,i) o_i,  y_k = E_k + O_k,  y_{m-1-k} = sign (E_k - O_k).
///
/// That is half of the products. Entry (k,i) of a half stands at [k + rows i]; a middle x counts as e, once.
template <class T, int sign, class M, class N>
struct mirrored_table {
  const T* even;
  const T* odd;
  M m;  // rows, length of y
  N n;  // columns, length of x

  /// Rows of a half as they are stored.
  constexpr index_t rows() const {
    const index_t half = (index_t(m) + 1) / 2;
    return is_static<M> ? half : (half + rows_at_once - 1) / rows_at_once * rows_at_once;
  }
};

/// A table of any entries, T(k,i) at [k + rows i].
template <class T>
struct dense_table {
  const T* entries;
  index_t m, n;
  constexpr index_t rows() const { return (m + rows_at_once - 1) / rows_at_once * rows_at_once; }
};

/// How often a table's entry stands in it, one copy behind the other. A whole vector of it is cheaper to load than one
/// is to spread (Zen 3, in cache, p = 1..8: mass 1.03 to 1.08, diffusion 0.96 to 1.08 times as fast); AVX-512 spreads
/// while it multiplies.
template <class Isa, class T>
inline constexpr index_t table_width = Isa::registers > 16 ? 1 : index_t(Isa::template vector<T>::size);

template <class Isa, class T>
inline auto table_entry(const T* table, index_t i) {
  using vector = typename Isa::template vector<T>;
  if constexpr (table_width < Isa, T >> 1)
    return vector::load_aligned(table + i * table_width<Isa, T>);
  else
    return vector(table[i]);
}

/// A table's halves, read from memory where they are used.
template <class Isa, class T, int half>
struct halves_in_memory {
  const T *even_half, *odd_half;
  auto even(int k, int i) const { return table_entry<Isa>(even_half, k + half * i); }
  auto odd(int k, int i) const { return table_entry<Isa>(odd_half, k + half * i); }
};

/// The same in registers, for many lines: entries that have to be loaded for each cost small tables a fifth of their
/// speed (AVX-512, Zen 4, 19 against 15 cycles a line of 5 to 6).
template <class Isa, class T, int sign, index_t M, index_t N>
class halves_in_registers {
  using vector = typename Isa::template vector<T>;
  static constexpr int m = int(M), n = int(N), half = (m + 1) / 2, pairs = n / 2;
  static constexpr int evens = sign > 0 ? half : m / 2, odds = sign > 0 ? m / 2 : half;

 public:
  /// Whether registers are left for the sums of a line, two entries of x and one to spare.
  static constexpr bool fit() {
    if constexpr (requires(vector v) { Isa::keep(v); })
      return evens * (n - pairs) + odds * pairs + m + 3 <= Isa::registers;
    else
      return false;
  }
  explicit halves_in_registers(const mirrored_table<T, sign, constant<M>, constant<N>>& table) {
    const halves_in_memory<Isa, T, half> from{table.even, table.odd};
    unrolled<n - pairs>(
        [&](auto i) { unrolled<evens>([&](auto k) { Isa::keep(even_[i][k] = from.even(int(k), int(i))); }); });
    unrolled<pairs>([&](auto i) { unrolled<odds>([&](auto k) { Isa::keep(odd_[i][k] = from.odd(int(k), int(i))); }); });
  }
  const vector& even(int k, int i) const { return even_[i][k]; }
  const vector& odd(int k, int i) const { return odd_[i][k]; }

 private:
  vector even_[n - pairs][half], odd_[pairs + 1][half];
};

/// put(k, y_k) for all k, x_i being get(i), of m times n entries. All is read before anything is put.
template <class Isa, class T, int sign, int m, int n, class Halves, class Get, class Put>
inline void known_line(const Halves& table, const Get& get, const Put& put) {
  using vector = typename Isa::template vector<T>;
  constexpr int half = (m + 1) / 2, pairs = m / 2;
  // The middle row of y is even where the table is, else odd.
  constexpr int evens = sign > 0 ? half : pairs, odds = sign > 0 ? pairs : half;
  const auto next = []<bool first>(const vector& entry, const vector& x, const vector& sum) {
    return first ? entry * x : Isa::fma(entry, x, sum);
  };
  vector E[half], O[half];
  if constexpr (n == 1) unrolled<half>([&](auto k) { O[k] = vector(T(0)); });
  unrolled<n / 2>([&](auto i) {
    const vector left = get(int(i)), right = get(n - 1 - int(i)), e = left + right, o = left - right;
    unrolled<half>([&](auto k) {
      if constexpr (k < evens) E[k] = next.template operator()<i == 0>(table.even(int(k), int(i)), e, E[k]);
      if constexpr (k < odds) O[k] = next.template operator()<i == 0>(table.odd(int(k), int(i)), o, O[k]);
    });
  });
  if constexpr (n % 2 == 1) {
    const vector middle = get(n / 2);
    unrolled<evens>([&](auto k) { E[k] = next.template operator()<n == 1>(table.even(int(k), n / 2), middle, E[k]); });
  }
  unrolled<pairs>([&](auto k) {
    put(int(k), E[k] + O[k]);
    if constexpr (sign > 0)
      put(m - 1 - int(k), E[k] - O[k]);
    else
      put(m - 1 - int(k), O[k] - E[k]);
  });
  if constexpr (m % 2 == 1) put(pairs, sign > 0 ? E[pairs] : O[pairs]);
}

template <class Isa, class T, int sign, index_t M, index_t N, class Get, class Put>
inline void line(const mirrored_table<T, sign, constant<M>, constant<N>>& table, const Get& get, const Put& put) {
  const halves_in_memory<Isa, T, (int(M) + 1) / 2> halves{table.even, table.odd};
  known_line<Isa, T, sign, int(M), int(N)>(halves, get, put);
}
template <class Isa, class T, int sign, index_t M, index_t N, class Get, class Put>
inline void line(const halves_in_registers<Isa, T, sign, M, N>& table, const Get& get, const Put& put) {
  known_line<Isa, T, sign, int(M), int(N)>(table, get, put);
}

/// The form of a table that many lines are quickest with.
template <class Isa, class Table>
inline const Table& for_many_lines(const Table& table) {
  return table;
}
template <class Isa, class T, int sign, index_t M, index_t N>
inline auto for_many_lines(const mirrored_table<T, sign, constant<M>, constant<N>>& table) {
  using in_registers = halves_in_registers<Isa, T, sign, M, N>;
  if constexpr (in_registers::fit())
    return in_registers(table);
  else
    return table;
}

/// The same with sizes known at run time.
template <class Isa, class T, int sign, class Get, class Put>
inline void line(const mirrored_table<T, sign, index_t, index_t>& table, const Get& get, const Put& put) {
  using vector = typename Isa::template vector<T>;
  const int m = int(table.m), n = int(table.n), pairs_of_x = n / 2, half = (m + 1) / 2;
  constexpr index_t width = table_width<Isa, T>;
  const index_t step = table.rows() * width;
  vector e[(longest_line + 1) / 2], o[(longest_line + 1) / 2];
  for (int i = 0; i < pairs_of_x; ++i) {
    const vector left = get(i), right = get(n - 1 - i);
    e[i] = left + right;
    o[i] = left - right;
  }
  if (n % 2 == 1) e[pairs_of_x] = get(pairs_of_x);
  const int evens_of_x = (n + 1) / 2;
  for (int first = 0; first < half; first += rows_at_once) {
    vector E[rows_at_once], O[rows_at_once];
    unrolled<rows_at_once>([&](auto k) { E[k] = O[k] = vector(T(0)); });
    const T *even = table.even + first * width, *odd = table.odd + first * width;
    for (int i = 0; i < pairs_of_x; ++i, even += step, odd += step)
      unrolled<rows_at_once>([&](auto k) {
        E[k] = Isa::fma(table_entry<Isa>(even, k), e[i], E[k]);
        O[k] = Isa::fma(table_entry<Isa>(odd, k), o[i], O[k]);
      });
    if (evens_of_x > pairs_of_x)
      unrolled<rows_at_once>([&](auto k) { E[k] = Isa::fma(table_entry<Isa>(even, k), e[pairs_of_x], E[k]); });
    unrolled<rows_at_once>([&](auto k) {
      const int row = first + int(k);
      if (row >= half) return;
      if (2 * row + 1 == m) return put(row, sign > 0 ? E[k] : O[k]);
      put(row, E[k] + O[k]);
      put(m - 1 - row, sign > 0 ? E[k] - O[k] : O[k] - E[k]);
    });
  }
}

/// The same for a table that does not mirror itself.
template <class Isa, class T, class Get, class Put>
inline void line(const dense_table<T>& table, const Get& get, const Put& put) {
  using vector = typename Isa::template vector<T>;
  const int m = int(table.m), n = int(table.n);
  constexpr index_t width = table_width<Isa, T>;
  const index_t step = table.rows() * width;
  vector x[longest_line];
  for (int i = 0; i < n; ++i) x[i] = get(i);
  for (int first = 0; first < m; first += rows_at_once) {
    vector y[rows_at_once];
    unrolled<rows_at_once>([&](auto k) { y[k] = vector(T(0)); });
    const T* entries = table.entries + first * width;
    for (int i = 0; i < n; ++i, entries += step)
      unrolled<rows_at_once>([&](auto k) { y[k] = Isa::fma(table_entry<Isa>(entries, k), x[i], y[k]); });
    unrolled<rows_at_once>([&](auto k) {
      if (first + int(k) < m) put(first + int(k), y[k]);
    });
  }
}

}  // namespace tessera::simd
