// SPDX-License-Identifier: BSD-3-Clause
// Which kernel rows a build compiles (TESSERA_ROWS), and how they are dealt out among its translation units.
#pragma once

namespace tessera::simd {

enum class row_set {
  none,   // of fixed sizes, only what a user asked for
  smoke,  // a few of each kind, for tests
  demo,   // element operators as the demo runs them; products as in smoke
  full,   // what is shipped
};

/// One of several translation units: number `part` of `parts`. It has every parts-th row, so that the parts take about
/// as long to compile as one another.
template <int part_number, int part_count>
struct rows_part {
  static constexpr int part = part_number, parts = part_count;

  /// How many of n rows it has; its i-th is row at(i) of them.
  static constexpr int share(int n) { return (n - part + parts - 1) / parts; }
  static constexpr int at(int i) { return part + i * parts; }
};

}  // namespace tessera::simd
