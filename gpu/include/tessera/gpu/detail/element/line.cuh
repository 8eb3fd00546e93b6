// SPDX-License-Identifier: BSD-3-Clause
// One 1-D contraction y = T x of a line in a thread's registers. Entries of T are constants of the launch: where the
// loops are unrolled each is an operand in the constant bank and costs no load (FMAs with one shared operand each ran
// at 8 to 16 of 33 TF on an H200, from the constant bank at 29).
#pragma once

namespace tessera::device {

/// What contractions with whole tables add up to.
template <bool mirrored, class T, int rows>
struct line_sums {
  T at[rows];

  constexpr void clear() {
#pragma unroll
    for (int k = 0; k < rows; ++k) at[k] = T(0);
  }
  constexpr void put(T (&y)[rows]) const {
#pragma unroll
    for (int k = 0; k < rows; ++k) y[k] = at[k];
  }
};

/// In halves: y_k = even_k + odd_k, and y_{rows-1-k} = even_k - odd_k.
template <class T, int rows>
struct line_sums<true, T, rows> {
  static constexpr int half = (rows + 1) / 2, pairs = rows / 2;
  T even[half], odd[half];

  constexpr void clear() {
#pragma unroll
    for (int k = 0; k < half; ++k) even[k] = odd[k] = T(0);
  }
  constexpr void put(T (&y)[rows]) const {
#pragma unroll
    for (int k = 0; k < pairs; ++k) {
      y[k] = even[k] + odd[k];
      y[rows - 1 - k] = even[k] - odd[k];
    }
    if constexpr (rows % 2 == 1) y[pairs] = even[pairs];
  }
};

/// T (m,n) whole, T(k,i) at [k + m i]; transposed, T(i,k) is there.
template <class T, int m, int n, bool transposed>
struct whole_table {
  static constexpr int rows = transposed ? n : m, columns = transposed ? m : n;
  static constexpr int entries = m * n;
  const T* at;

  /// T(k,i), whether transposed or not.
  constexpr T entry(int k, int i) const { return at[k + m * i]; }

  constexpr void add(const T (&x)[columns], line_sums<false, T, rows>& y) const {
#pragma unroll
    for (int i = 0; i < columns; ++i)
#pragma unroll
      for (int k = 0; k < rows; ++k) y.at[k] += at[transposed ? i + m * k : k + m * i] * x[i];
  }
  constexpr void apply(const T (&x)[columns], T (&y)[rows]) const {
    line_sums<false, T, rows> sums;
    sums.clear();
    add(x, sums);
    sums.put(y);
  }
};

/// A table that mirrors itself, T(m-1-k, n-1-i) = sign T(k,i), as its halves: with hm = ceil(m/2)
///
///     even(k,i) = (T(k,i) + T(k,n-1-i)) / 2 at [k + hm i], k < hm, i < ceil(n/2), a middle column as it is in T,
///     odd(k,i) = (T(k,i) - T(k,n-1-i)) / 2 behind them, i < floor(n/2).
///
/// The transpose needs no table of its own: its halves are these, transposed, and change places where sign is -1.
template <class T, int m, int n, int sign, bool transposed>
struct mirrored_table {
  static constexpr int rows = transposed ? n : m, columns = transposed ? m : n;
  static constexpr int stored_half = (m + 1) / 2, evens = (n + 1) / 2;
  static constexpr int entries = stored_half * n;
  const T* at;

  constexpr T even(int k, int i) const {
    if constexpr (!transposed) return at[k + stored_half * i];
    return sign > 0 ? at[i + stored_half * k] : at[i + stored_half * (evens + k)];
  }
  constexpr T odd(int k, int i) const {
    if constexpr (!transposed) return at[k + stored_half * (evens + i)];
    return sign > 0 ? at[i + stored_half * (evens + k)] : at[i + stored_half * k];
  }

  /// T(k,i), whether transposed or not.
  constexpr T entry(int k, int i) const {
    const bool below = k >= stored_half;  // the mirror image of an upper row, backwards
    const int row = below ? m - 1 - k : k, column = below ? n - 1 - i : i, left = n - 1 - column;
    const int pair = column < left ? column : left;
    const T e = at[row + stored_half * pair], o = 2 * pair + 1 == n ? T(0) : at[row + stored_half * (evens + pair)];
    const T value = column == pair ? e + o : e - o;
    return below && sign < 0 ? -value : value;
  }

  constexpr void add(const T (&x)[columns], line_sums<true, T, rows>& y) const {
    constexpr int half = (rows + 1) / 2, pairs = rows / 2, middle = columns / 2;
    constexpr int even_rows = sign > 0 ? half : pairs, odd_rows = sign > 0 ? pairs : half;
    // What is even in x becomes odd where sign is -1.
    T(&E)[half] = sign > 0 ? y.even : y.odd;
    T(&O)[half] = sign > 0 ? y.odd : y.even;
#pragma unroll
    for (int i = 0; i < middle; ++i) {
      const T e = x[i] + x[columns - 1 - i], o = x[i] - x[columns - 1 - i];
#pragma unroll
      for (int k = 0; k < half; ++k) {
        if (k < even_rows) E[k] += even(k, i) * e;
        if (k < odd_rows) O[k] += odd(k, i) * o;
      }
    }
    if constexpr (columns % 2 == 1) {
#pragma unroll
      for (int k = 0; k < even_rows; ++k) E[k] += even(k, middle) * x[middle];
    }
  }
  constexpr void apply(const T (&x)[columns], T (&y)[rows]) const {
    line_sums<true, T, rows> sums;
    sums.clear();
    add(x, sums);
    sums.put(y);
  }
};

namespace detail {

template <bool mirrored, class T, int m, int n, int sign, bool transposed>
struct table_form {
  using type = whole_table<T, m, n, transposed>;
};
template <class T, int m, int n, int sign, bool transposed>
struct table_form<true, T, m, n, sign, transposed> {
  using type = mirrored_table<T, m, n, sign, transposed>;
};

}  // namespace detail

template <bool mirrored, class T, int m, int n, int sign, bool transposed>
using line_table_of = typename detail::table_form<mirrored, T, m, n, sign, transposed>::type;

}  // namespace tessera::device
