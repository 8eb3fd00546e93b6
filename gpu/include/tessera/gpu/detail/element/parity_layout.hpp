// SPDX-License-Identifier: BSD-3-Clause
// How blocks of the kernel that computes symmetric element matrices by even and odd parts are laid out.
#pragma once

#include <tessera/gpu/detail/element/pair_layout.hpp>

namespace tessera {

/// Functions of one direction that mirror each other, as even ones, of i and d-1-i the mean and a middle one as it is,
/// and odd ones, half the difference. Their slopes are of the other parity. All are given at the first half of the
/// points: [even ones, then odd ones][values, slopes], a function having `points` numbers.
struct parity_functions {
  int functions, points;

  /// Of an even line or function; an odd one has nothing in its middle.
  constexpr int points_of(bool odd) const { return odd ? points / 2 : (points + 1) / 2; }
  constexpr int count(bool odd) const { return odd ? functions / 2 : (functions + 1) / 2; }
  constexpr int value(bool odd, int i, int k) const { return points * (odd ? count(false) + i : i) + k; }
  constexpr int slope(bool odd, int i, int k) const { return value(odd, i, points_of(odd) + k); }
  constexpr int entries() const { return functions * points; }
};

struct parity_sizes {
  int functions = 2, points = 3, factors = 3;
  bool packed = false;  ///< the lower triangle only
};

/// In entries, of 8 bytes; 2-D. A *pair* is one of functions of the last direction, i >= j. What it has in M, pairs
/// (i,j) of functions of the first direction, are sums and differences of an even and an odd number each: those of
/// slot(i,j), [slot + pitch() (pair + pairs element)]. D lies behind them, [point of the first direction,
/// factor, point of the last one, parity].
struct parity_layout {
  parity_sizes of;
  matrix_tuning by;

  constexpr parity_functions tables() const { return {of.functions, of.points}; }
  constexpr int functions() const { return of.functions * of.functions; }
  constexpr int points() const { return of.points * of.points; }
  constexpr int pairs() const { return pairs_of(of.functions); }

  /// Entries (i,j) and (d-1-i, d-1-j) are the sum and the difference of the same numbers: those of the smaller j, or i.
  constexpr bool is_difference(int i, int j) const { return j > last(j) || (j == last(j) && i > last(i)); }
  constexpr int slot(int i, int j) const {
    return is_difference(i, j) ? last(i) + column_pitch() * last(j) : i + column_pitch() * j;
  }
  constexpr int column_pitch() const { return of.functions + by.pad_line; }
  constexpr int slots() const {
    return column_pitch() * (of.functions / 2) + (of.functions % 2 == 1 ? of.functions / 2 + 1 : 0);
  }
  /// Neighbouring threads have neighbouring pairs, and meet in no bank.
  constexpr int pitch() const { return odd(slots()); }
  /// Sums, and behind them differences.
  constexpr int staged_sums() const { return up(by.elements * pairs() * pitch(), 2); }
  constexpr int staged_entries() const { return 2 * staged_sums(); }

  /// Of a point of the last direction half a line of each factor, read in pieces of 16 bytes: for even numbers the even
  /// part of all but D01, of which they take the odd one; for odd numbers the others, data_of_parity() behind.
  constexpr int line_of() const { return tables().points_of(false); }
  constexpr int row_of() const { return up(of.factors * line_of(), 2); }
  constexpr int data_of_parity() const { return row_of() * of.points; }
  /// Threads of neighbouring elements meet in no bank.
  constexpr int data_pitch() const { return 2 * data_of_parity() + 2; }
  constexpr int data_place() const { return staged_entries(); }
  constexpr int entries() const { return data_place() + by.elements * data_pitch(); }
  constexpr int bytes() const { return entries() * 8; }

  /// The matrices as a block writes them.
  constexpr pair_layout written() const { return {{2, of.functions, of.points, 8, of.packed, true}, by}; }

 private:
  constexpr int last(int i) const { return of.functions - 1 - i; }
  static constexpr int odd(int n) { return n + 1 - n % 2; }
  static constexpr int up(int n, int to) { return (n + to - 1) / to * to; }
};

}  // namespace tessera
