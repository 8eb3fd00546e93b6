// SPDX-License-Identifier: BSD-3-Clause
// Which kernel rows a build compiles (TESSERA_ROWS), and how they are divided among its translation units.
#pragma once

namespace tessera::simd {

enum class row_set {
  none,   // of fixed sizes only those of user records
  smoke,  // a few of each kind, for tests
  demo,   // element operators of the demo; products as in smoke
  wheel,  // of the Python package's wheels, which have to compile in minutes for all instruction sets
  full,   // all rows, as in a release
};

/// What row_set::wheel has of a type, on all instruction sets but SSE2, which has the products of smoke: what loses
/// most by a kernel for any size (decision 24). Products: of contractions of finite elements up to an order, with one
/// point more than functions, and squares up to a size; for batches in memory where `streams`. Element operators: mass
/// and diffusion of these orders and points, in 3-D and from `least_dim` on.
struct wheel_rows {
  int largest_square, largest_order;
  bool streams;
  int least_dim;
};
template <class T>
inline constexpr wheel_rows rows_of_wheel = sizeof(T) == 8 ? wheel_rows{4, 8, true, 2} : wheel_rows{4, 6, false, 3};

/// One of several translation units: number `part` of `parts`. It has every parts-th row, so that all parts take about
/// the same time to compile.
template <int part_number, int part_count>
struct rows_part {
  static constexpr int part = part_number, parts = part_count;

  /// The number of rows in this part, of n rows; its i-th one is row at(i).
  static constexpr int share(int n) { return (n - part + parts - 1) / parts; }
  static constexpr int at(int i) { return part + i * parts; }
};

}  // namespace tessera::simd
