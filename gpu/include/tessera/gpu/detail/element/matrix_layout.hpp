// SPDX-License-Identifier: BSD-3-Clause
// How a block of the element matrix kernel is laid out: which columns it has, and where things stand in shared memory.
#pragma once

#include <tessera/detail/element/matrix_tuning.hpp>

namespace tessera {

/// What the kernel is made for: d, q and t in each direction.
struct matrix_sizes {
  int dim = 3, trial = 2, points = 3, test = 2;
  int components = 1;
  bool slopes = false;
  int pairs[3] = {1, 1, 1};  ///< of classes, while directions 0 .. a remain: couplings::count(a)
  int entry_bytes = 8;
  bool packed = false;  ///< the lower triangle only
};

/// In entries. Before direction a is contracted, each pair of classes has lines along it, line l's point k at
/// [l + pitch(a) k], where l counts points of directions below a, then rows, columns and elements of those above.
struct matrix_layout {
  matrix_sizes of;
  matrix_tuning by;

  static constexpr int power(int base, int exponent) {
    int product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }
  constexpr int strips_of_slice() const { return of.dim > 1 ? of.trial : 1; }
  constexpr int slices_of_matrix() const { return of.dim > 2 ? of.trial : 1; }
  /// Of one component.
  constexpr int rows() const { return power(of.test, of.dim); }
  constexpr int columns() const { return power(of.trial, of.dim); }
  constexpr int all_rows() const { return of.components * rows(); }
  constexpr int all_columns() const { return of.components * columns(); }

  /// Blocks of an element, and rounds of a block.
  constexpr int parts() const { return of.components * pieces(slices_of_matrix(), by.slices); }
  constexpr int rounds() const { return pieces(strips_of_slice(), by.strips); }

  /// Trial functions of direction a that a round has.
  constexpr int columns_along(int a) const { return a == 0 ? of.trial : a == 1 ? by.strips : by.slices; }
  /// Columns of the directions above a.
  constexpr int columns_above(int a) const {
    return (a < 1 && of.dim > 1 ? by.strips : 1) * (a < 2 && of.dim > 2 ? by.slices : 1);
  }
  constexpr int rows_above(int a) const { return power(of.test, of.dim - 1 - a); }
  constexpr int lines(int a) const { return power(of.points, a) * rows_above(a) * columns_above(a) * by.elements; }
  constexpr int pitch(int a) const { return lines(a) + (a < 2 ? (a == 0 ? by.pad_line : by.pad_plane) : 0); }
  constexpr int entries_of_pair(int a) const { return pitch(a) * of.points; }

  /// Threads that share a line's columns: reading the line costs each about as much as a column.
  constexpr int splits(int a) const {
    const int wanted = columns_along(a);
    int best = 1;
    for (int n = 2; n <= wanted; ++n)
      if (turns(a, n) < turns(a, best)) best = n;
    return best;
  }

  /// Of a round's columns, in the order of the matrix: at most so many entries.
  constexpr int staged_entries() const {
    const int of_columns = all_rows() * of.trial * columns_above(0);
    return by.elements * (of.packed && whole() ? all_rows() * (all_rows() + 1) / 2 : of_columns);
  }
  constexpr bool whole() const { return parts() == 1 && rounds() == 1; }
  /// They begin as far behind a multiple of 128 bytes as in memory; where t is even, 16 bytes follow each 128.
  constexpr int of_line() const { return 128 / of.entry_bytes; }
  constexpr int skew() const { return of.test % 2 == 0 ? of_piece() : 0; }
  constexpr int staged_room() const {
    const int all = staged_entries() + of_line();
    return pieces(all, of_line()) * (of_line() + skew());
  }

  // Where things start: staged entries; lines along the directions below the last one; tables (q,d) of trial functions.
  constexpr int lines_place(int a) const {
    int place = staged_room();
    for (int b = 0; b < a; ++b) place += of.pairs[b] * entries_of_pair(b);
    return place;
  }
  // A column of a table in whole pieces of 16 bytes.
  constexpr int of_piece() const { return 16 / of.entry_bytes; }
  constexpr int table_pitch() const { return pieces(of.points, of_piece()) * of_piece(); }
  constexpr int table_entries() const { return table_pitch() * of.trial; }
  constexpr int tables_place() const { return pieces(lines_place(of.dim - 1), of_piece()) * of_piece(); }
  constexpr int entries() const { return tables_place() + table_entries() * (of.slopes ? 2 : 1); }
  constexpr int bytes() const { return entries() * of.entry_bytes; }

 private:
  constexpr int turns(int a, int n) const {
    const int behind = a > 0 ? of.pairs[a - 1] : 1;  // pairs of classes: each a task of its own
    return pieces(behind * lines(a) * n, by.threads) * (pieces(columns_along(a), n) + 1);
  }
  static constexpr int pieces(int all, int size) { return (all + size - 1) / size; }
};

}  // namespace tessera
