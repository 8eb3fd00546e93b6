// SPDX-License-Identifier: BSD-3-Clause
// How a block of the kernel that computes each distinct number of an element matrix once is laid out.
#pragma once

#include <tessera/detail/element/matrix_tuning.hpp>
#include <tessera/element/matrix_storage.hpp>

namespace tessera {

/// Pairs i >= j of d functions.
constexpr int pairs_of(int d) { return d * (d + 1) / 2; }
/// The number of pair (i,j) or (j,i): those of the smaller function's column, i = j, j + 1, ..., are side by side.
constexpr int pair_of(int i, int j, int d) {
  const int low = i <= j ? i : j, high = i <= j ? j : i;
  return low * d - low * (low - 1) / 2 + (high - low);
}

/// The pairs whose products of functions are given. Where function d-1-i mirrors function i, pair (d-1-j, d-1-i) has
/// the products of (i,j) backwards, and the two are one unit: the products' even part at the first half of the points,
/// a middle point as it is, then their odd part.
struct pair_units {
  int functions, points;
  bool mirrored;

  constexpr int count() const { return mirrored ? (functions + 1) / 2 * (functions / 2 + 1) : pairs_of(functions); }
  /// Of pair i >= j; i + j < d where mirrored.
  constexpr int of(int i, int j) const {
    return mirrored ? j * functions - j * (j - 1) + i - j : pair_of(i, j, functions);
  }
  constexpr int even_points() const { return mirrored ? (points + 1) / 2 : points; }
  constexpr int entries() const { return count() * points; }
};

struct pair_sizes {
  int dim = 3, functions = 2, points = 3;
  int entry_bytes = 8;
  bool packed = false;  ///< the lower triangle only
  bool mirrored = true;
};

/// In entries. Before direction a is contracted, array a holds for each pair of functions of the directions above, last
/// one outermost, and each element the points of directions 0 .. a: [point + pitch(a) above]. The result, staged, has
/// pairs of direction 0 in place of points: [pair + staged_pitch() above].
struct pair_layout {
  pair_sizes of;
  matrix_tuning by;

  static constexpr int power(int base, int exponent) {
    int product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }
  constexpr int pairs() const { return pairs_of(of.functions); }
  constexpr pair_units units() const { return {of.functions, of.points, of.mirrored}; }
  constexpr int functions() const { return power(of.functions, of.dim); }
  constexpr int slices() const { return by.sliced ? of.functions : 1; }
  /// Of the last direction, that a block has: at most, where a slice of the lower triangle begins at its diagonal.
  constexpr int last_pairs() const { return by.sliced ? of.functions : pairs(); }

  /// Pairs of the directions above a, of all elements.
  constexpr int above(int a) const {
    return a == of.dim - 1 ? by.elements : by.elements * last_pairs() * power(pairs(), of.dim - 2 - a);
  }
  constexpr int lines(int a) const { return power(of.points, a) * above(a); }
  // Threads of neighbouring lines along direction 0 meet in no bank.
  constexpr int pitch(int a) const { return a == 0 ? odd(of.points) : power(of.points, a + 1); }
  constexpr int staged_pitch() const { return odd(pairs()); }
  constexpr int staged_entries() const {
    return of.dim == 1 ? by.elements * staged_pitch() : staged_pitch() * above(0);
  }

  // Array 1 is read before the result is staged: they share their room.
  constexpr int place(int a) const { return a == 1 || of.dim < 2 ? 0 : larger(staged_entries(), entries_of(1)); }
  constexpr int entries() const { return of.dim < 2 ? staged_entries() : place(0) + entries_of(0); }
  constexpr int bytes() const { return entries() * of.entry_bytes; }

  constexpr matrix_storage storage() const { return of.packed ? matrix_storage::lower_packed : matrix_storage::full; }
  constexpr index_t entries_of_matrix() const { return matrix_entries(functions(), functions(), storage()); }
  /// Where the columns of a slice begin in their matrix.
  constexpr index_t start_of(int slice) const {
    const int column = functions() / slices() * slice;
    return slice == slices() ? entries_of_matrix()
                             : matrix_place(of.packed ? column : 0, column, functions(), storage());
  }
  /// Where the places of a slice's entries begin in their table: whole pieces of 16 bytes, with room between slices for
  /// the shifts of copies.
  constexpr index_t places_of(int slice) const {
    const int of_piece = 16 / of.entry_bytes;
    return (start_of(slice) / of_piece + 2 * slice) * of_piece;
  }
  /// Where the number of functions' pairs stands among what is staged, the last direction's as a block counts them.
  constexpr int staged_place(int first, int second, int last, int element) const {
    if (of.dim == 1) return last + staged_pitch() * element;
    const int middle = of.dim == 2 ? 0 : second;
    const int beyond = of.dim == 2 ? last + last_pairs() * element : middle + pairs() * (last + last_pairs() * element);
    return first + staged_pitch() * beyond;
  }

 private:
  constexpr int entries_of(int a) const { return a < of.dim - 1 ? pitch(a) * above(a) : 0; }
  static constexpr int odd(int n) { return n + 1 - n % 2; }
  static constexpr int larger(int a, int b) { return a > b ? a : b; }
};

}  // namespace tessera
