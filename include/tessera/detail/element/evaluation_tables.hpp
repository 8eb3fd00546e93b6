// SPDX-License-Identifier: BSD-3-Clause
// The 1-D tables of an element operator as kernels read them: whole, or as the halves of a table that mirrors itself.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Most functions or points in one direction.
inline constexpr int longest_line = 40;
/// Tables for kernels of any size are worked on in so many rows at a time, and padded to a multiple of it.
inline constexpr int rows_at_once = 4;

/// T (m,n), for y = T x. The halves are there where T(m-1-k, n-1-i) = sign T(k,i) holds exactly: with hm = ceil(m/2),
///
///     even(k,i) = (T(k,i) + T(k,n-1-i)) / 2,  odd(k,i) = (T(k,i) - T(k,n-1-i)) / 2,  a middle column as it is in even
///
/// for k < hm and the first half of the columns. Entry (k,i) of each is at [k + rows i], or repeated as often as the
/// kernel wants it from [(k + rows i) width] on.
template <class T>
struct line_table {
  const T* whole = nullptr;  // (m,n), rows = m rounded up to a multiple of rows_at_once
  const T* even = nullptr;   // (hm, ceil(n/2)); likewise rounded up in tables of run-time sizes
  const T* odd = nullptr;    // (hm, floor(n/2))
  index_t m = 0, n = 0;
};

/// d trial functions, q points and t test functions in each direction. Kernels read `differentiate` or `slopes`.
template <class T>
struct evaluation_tables {
  line_table<T> interpolate;               // (q,d): from u to its values at points
  line_table<T> differentiate;             // (q,q): from values at points to derivatives there
  line_table<T> differentiate_transposed;  // (q,q)
  line_table<T> test_transposed;           // (t,q): from v at points to y
  line_table<T> slopes;                    // (q,d): from u to its derivatives at points
  line_table<T> test_slopes_transposed;    // (t,q)
};

}  // namespace tessera
