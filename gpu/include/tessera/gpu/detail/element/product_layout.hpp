// SPDX-License-Identifier: BSD-3-Clause
// How blocks of the kernels that compute pairs of functions of symmetric element matrices are laid out.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/gpu/detail/element/pair_layout.hpp>

namespace tessera {

/// What a kernel is made for; counts are those of `couplings` once the last direction is contracted.
struct product_sizes {
  int dim = 3, functions = 2, points = 3, factors = 6;
  int classes = 9;      ///< pairs of classes
  int groups = 4;       ///< what they are once the second direction is contracted, too
  bool packed = false;  ///< the lower triangle only
};

template <class Function>
constexpr product_sizes product_sizes_of(int d, int q, bool packed) {
  using pairs = couplings<Function>;
  constexpr int dim = Function::dim;
  return {dim, d, q, Function::factors, pairs::count(dim - 2), dim < 3 ? 1 : pairs::count(0), packed};
}

/// In entries, of 8 bytes. Of each pair i >= j of functions of the last direction a block stages what the matrix has of
/// the others, rows and columns being pairs (i,j) of functions of the first and the second direction:
/// [row + row_pitch column + staged_of_pair (pair + pairs element)].
struct product_layout {
  product_sizes of;
  matrix_tuning by;

  static constexpr int rows_of_tile = 16, step = 4;  // of a warp's product: 16 x 4 by 4 x 8

  constexpr bool alone() const { return by.way == matrix_way::threads; }
  constexpr int pairs() const { return pairs_of(of.functions); }
  constexpr int functions() const { return pair_layout::power(of.functions, of.dim); }
  /// Points of the directions below the last one.
  constexpr int points_below() const { return pair_layout::power(of.points, of.dim - 1); }
  constexpr int points() const { return points_below() * of.points; }
  constexpr int rows() const { return of.functions * of.functions; }
  constexpr int columns() const { return of.dim == 2 ? 1 : rows(); }
  constexpr int row_tiles() const { return up(rows(), rows_of_tile) / rows_of_tile; }

  // What half a warp writes or reads at once stands in different banks, mostly.
  constexpr int row_pitch() const {
    return alone() ? rows() : rows() + (rows() % 16 == 0 ? 3 : rows() % 2 == 0 ? 2 : 1);
  }
  constexpr int staged_of_pair() const {
    const int all = row_pitch() * columns();
    return alone() ? all + (all + 1) % 2 : all + 1;
  }
  constexpr int staged_entries() const { return by.elements * pairs() * staged_of_pair(); }

  // Where things start. What a warp holds is in no shared memory.
  constexpr int data_place() const { return staged_entries(); }
  constexpr int data_pitch() const { return of.factors * points() + (of.factors * points() % 2 == 0); }
  constexpr int data_entries() const { return by.elements * data_pitch(); }
  constexpr int entries() const { return alone() ? data_place() + data_entries() : staged_entries(); }
  constexpr int bytes() const { return entries() * 8; }

  // Fragments of tables, two entries of each lane, one of each kind: points are one step in both directions.
  static constexpr int lanes = 32, fragment = 2 * lanes, fragments = 4;

  /// The matrices as a block writes them.
  constexpr pair_layout written() const { return {{of.dim, of.functions, of.points, 8, of.packed, false}, by}; }

 private:
  static constexpr int up(int n, int to) { return (n + to - 1) / to * to; }
};

}  // namespace tessera
