// SPDX-License-Identifier: BSD-3-Clause
// The kernel of diagonals: sizes, tuning, and the layout of a block's shared memory.
#pragma once

namespace tessera {

/// Of elements that are products of `directions` segments, d functions and q points each; of dense tables one
/// direction.
struct diagonal_sizes {
  int directions = 3, functions = 2, points = 3;
  int entry_bytes = 8;
};

struct diagonal_tuning {
  int elements = 1;  ///< of a block
  int threads = 128;
  friend constexpr bool operator==(const diagonal_tuning&, const diagonal_tuning&) = default;
};

/// In entries, of each element: two boxes, one that sums are read from and one that they are written to, and y.
struct diagonal_layout {
  diagonal_sizes of;
  diagonal_tuning by;

  static constexpr int power(int base, int exponent) {
    int product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }
  constexpr int all_points() const { return power(of.points, of.directions); }
  constexpr int all_functions() const { return power(of.functions, of.directions); }
  /// Once `done` directions are contracted.
  constexpr int box(int done) const { return power(of.functions, done) * power(of.points, of.directions - done); }
  constexpr int even_box() const { return of.directions > 2 && box(2) > box(0) ? box(2) : box(0); }
  constexpr int odd_box() const { return of.directions > 1 ? box(1) : 0; }
  constexpr int y_place() const { return by.elements * (even_box() + odd_box()); }
  constexpr int entries() const { return y_place() + by.elements * all_functions(); }
};

/// As many elements as give each thread of a block an entry or more, in a quarter of the memory that a block has.
constexpr diagonal_tuning ruled_diagonal_tuning(const diagonal_sizes& s, int shared_bytes) {
  diagonal_tuning t;
  const auto fits = [&](int elements) {
    return 4 * diagonal_layout{s, {elements, t.threads}}.entries() * s.entry_bytes <= shared_bytes;
  };
  while (t.elements * diagonal_layout{s, t}.all_functions() < t.threads && fits(t.elements + 1)) ++t.elements;
  return t;
}

}  // namespace tessera
