// SPDX-License-Identifier: BSD-3-Clause
// One 1-D contraction y = T x along a line of lanes, T being values or derivatives of a basis at points, or transposed.
#pragma once

#include <tessera/cpu/detail/tile.hpp>
#include <tessera/detail/element/evaluation_tables.hpp>

namespace tessera::simd {

/// The halves of a symmetric table, T(m-1-k, n-1-i) = sign T(k,i): with e_i = x_i + x_{n-1-i} and
/// o_i = x_i - x_{n-1-i} for the first halves of k and i,
///
///     E_k = sum of even(k,i) e_i,  O_k = sum of odd(k,i) o_i,  y_k = E_k + O_k,  y_{m-1-k} = sign (E_k - O_k).
///
/// That is half of the products. Entry (k,i) of a half is at [k + rows i]; a middle x counts as e, once.
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

/// Contiguous copies of each entry of a table. A vector of copies is cheaper to load than a single entry is to
/// broadcast (Zen 3, in cache, p = 1..8: mass 1.03 to 1.08, diffusion 0.96 to 1.08 times as fast); AVX-512 broadcasts
/// in the multiply-add.
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

/// Makes the compiler keep v in a register, if Isa has a function for that.
template <class Isa, class V>
[[gnu::always_inline]] inline void keep(V& v) {
  if constexpr (requires { Isa::keep(v); }) Isa::keep(v);
}

/// The halves of a table, the first entries of which, in the order in which a line uses them, stay in registers for
/// many lines; the others are read from memory where they are used. Each entry in a register saves a load for a
/// multiply-add (AVX-512, Zen 5, cycles a line with and without: 5 to 5 entries 6.9 and 10, 7 to 7 13.7 and 18, 7 to 8
/// 16 and 21).
template <class Isa, class T, int sign, int m, int n, int registers>
class halves {
  using vector = typename Isa::template vector<T>;

 public:
  static constexpr int half = (m + 1) / 2, pairs = n / 2;
  // The middle row of y is even if the table is even (sign > 0), else odd.
  static constexpr int evens = sign > 0 ? half : m / 2, odds = sign > 0 ? m / 2 : half;
  static constexpr int entries = evens * (n - pairs) + odds * pairs;
  static constexpr int kept = registers < 0 ? 0 : registers < entries ? registers : entries;

  [[gnu::always_inline]] halves(const T* even, const T* odd) : even_(even), odd_(odd) {
    unrolled<n - pairs>([&](auto i) __attribute__((always_inline)) {
      unrolled<evens>([&](auto k) __attribute__((always_inline)) { take<number(k, i, false)>(even, k + half * i); });
      if constexpr (i < pairs)
        unrolled<odds>([&](auto k) __attribute__((always_inline)) { take<number(k, i, true)>(odd, k + half * i); });
    });
  }
  /// Entry (k,i) of a half, k and i constants.
  template <class K, class I>
  [[gnu::always_inline]] auto even(K k, I i) const {
    return get<number(K::value, I::value, false)>(even_, k + half * i);
  }
  template <class K, class I>
  [[gnu::always_inline]] auto odd(K k, I i) const {
    return get<number(K::value, I::value, true)>(odd_, k + half * i);
  }

 private:
  static constexpr int number(int k, int i, bool odd) { return i * (evens + odds) + (odd ? evens : 0) + k; }
  template <int number>
  [[gnu::always_inline]] void take(const T* from, int at) {
    if constexpr (number < kept) {
      vector entry = table_entry<Isa>(from, at);
      keep<Isa>(entry);
      kept_[number] = entry.data;
    }
  }
  template <int number>
  [[gnu::always_inline]] vector get(const T* from, int at) const {
    if constexpr (number < kept)
      return vector(kept_[number]);
    else
      return table_entry<Isa>(from, at);
  }

  const T *even_, *odd_;
  typename vector::register_type kept_[kept > 0 ? kept : 1];
};

/// get(i), kept in a register: otherwise the compiler would load it for each use.
template <class Isa, class T, class Get>
[[gnu::always_inline]] inline auto held(const Get& get, int i) {
  typename Isa::template vector<T> x = get(i);
  keep<Isa>(x);
  return x;
}

/// y = T x for a table of m times n entries: x_i is get(i), and put(k, y_k) is called for all k. All x_i are read
/// before the first put.
template <class Isa, class T, int sign, int m, int n, int registers, class Get, class Put>
[[gnu::always_inline]] inline void line(const halves<Isa, T, sign, m, n, registers>& table, const Get& get,
                                        const Put& put) {
  using vector = typename Isa::template vector<T>;
  using table_type = halves<Isa, T, sign, m, n, registers>;
  constexpr int half = table_type::half, pairs = m / 2, evens = table_type::evens, odds = table_type::odds;
  const auto next =
      []<bool first>(const vector& entry, const vector& x, const vector& sum) __attribute__((always_inline)) {
    return first ? entry * x : Isa::fma(entry, x, sum);
  };
  vector E[half], O[half];
  if constexpr (n == 1) unrolled<half>([&](auto k) { O[k] = vector(T(0)); });
  unrolled<n / 2>([&](auto i) __attribute__((always_inline)) {
    const vector left = held<Isa, T>(get, int(i)), right = held<Isa, T>(get, n - 1 - int(i));
    const vector e = left + right, o = left - right;
    unrolled<half>([&](auto k) __attribute__((always_inline)) {
      if constexpr (k < evens) E[k] = next.template operator()<i == 0>(table.even(k, i), e, E[k]);
      if constexpr (k < odds) O[k] = next.template operator()<i == 0>(table.odd(k, i), o, O[k]);
    });
  });
  if constexpr (n % 2 == 1) {
    const vector middle = held<Isa, T>(get, n / 2);
    unrolled<evens>([&](auto k) __attribute__((always_inline)) {
      E[k] = next.template operator()<n == 1>(table.even(k, constant<n / 2>{}), middle, E[k]);
    });
  }
  unrolled<pairs>([&](auto k) __attribute__((always_inline)) {
    put(int(k), E[k] + O[k]);
    if constexpr (sign > 0)
      put(m - 1 - int(k), E[k] - O[k]);
    else
      put(m - 1 - int(k), O[k] - E[k]);
  });
  if constexpr (m % 2 == 1) put(pairs, sign > 0 ? E[pairs] : O[pairs]);
}

/// The table in the form that is fastest for many lines: if its sizes are known at compile time, `registers` registers
/// hold entries of it; else the table itself.
template <class Isa, int registers, class Table>
[[gnu::always_inline]] inline const Table& for_many_lines(const Table& table) {
  return table;
}
template <class Isa, int registers, class T, int sign, index_t M, index_t N>
[[gnu::always_inline]] inline auto for_many_lines(const mirrored_table<T, sign, constant<M>, constant<N>>& table) {
  return halves<Isa, T, sign, int(M), int(N), registers>(table.even, table.odd);
}

/// Calls f(constant<n>{}, first) for pieces of n = 3 to 5 of `rows` rows, whose sums are in registers at the same time.
/// One or two rows are padded to 3; otherwise no sum is computed in vain (pieces of 4 computed a third too many at
/// order 9, which has 5 by 6 pairs).
template <class F>
[[gnu::always_inline]] inline void in_pieces(int rows, const F& f) {
  static_assert(rows_at_once >= 3, "tables have rows of zeros up to there");
  for (int first = 0; first < rows;) {
    const int left = rows - first;
    if (left >= 9 || left == 5) {
      f(constant<5>{}, first);
      first += 5;
    } else if (left == 4 || left == 7 || left == 8) {
      f(constant<4>{}, first);
      first += 4;
    } else {
      f(constant<3>{}, first);
      first += 3;
    }
  }
}

/// y = T x with sizes known at run time.
template <class Isa, class T, int sign, class Get, class Put>
inline void line(const mirrored_table<T, sign, index_t, index_t>& table, const Get& get, const Put& put) {
  using vector = typename Isa::template vector<T>;
  const int m = int(table.m), n = int(table.n), pairs_of_x = n / 2, half = (m + 1) / 2;
  constexpr index_t width = table_width<Isa, T>;
  const index_t step = table.rows() * width;
  vector e[(longest_line + 1) / 2], o[(longest_line + 1) / 2];
  for (int i = 0; i < pairs_of_x; ++i) {
    const vector left = held<Isa, T>(get, i), right = held<Isa, T>(get, n - 1 - i);
    e[i] = left + right;
    o[i] = left - right;
  }
  if (n % 2 == 1) e[pairs_of_x] = get(pairs_of_x);
  const int evens_of_x = (n + 1) / 2;
  in_pieces(
      half, [&](auto rows, int first) __attribute__((always_inline)) {
        vector E[rows], O[rows];
        unrolled<rows>([&](auto k) { E[k] = O[k] = vector(T(0)); });
        const T *even = table.even + first * width, *odd = table.odd + first * width;
        for (int i = 0; i < pairs_of_x; ++i, even += step, odd += step)
          unrolled<rows>([&](auto k) {
            E[k] = Isa::fma(table_entry<Isa>(even, k), e[i], E[k]);
            O[k] = Isa::fma(table_entry<Isa>(odd, k), o[i], O[k]);
          });
        if (evens_of_x > pairs_of_x)
          unrolled<rows>([&](auto k) { E[k] = Isa::fma(table_entry<Isa>(even, k), e[pairs_of_x], E[k]); });
        unrolled<rows>([&](auto k) {
          const int row = first + int(k);
          if (row >= half) return;
          if (2 * row + 1 == m) return put(row, sign > 0 ? E[k] : O[k]);
          put(row, E[k] + O[k]);
          put(m - 1 - row, sign > 0 ? E[k] - O[k] : O[k] - E[k]);
        });
      });
}

/// The same for a table without symmetry.
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
