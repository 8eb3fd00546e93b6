// SPDX-License-Identifier: BSD-3-Clause
// Which kernel rows a build compiles (TESSERA_ROWS), and how they are divided among its translation units.
#pragma once

namespace tessera::simd {

enum class row_set {
  none,   // of fixed sizes only those of user records
  smoke,  // a few of each kind, for tests
  demo,   // element operators of the demo; products as in smoke
  full,   // all rows, as in a release
};

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
