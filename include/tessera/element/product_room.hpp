// SPDX-License-Identifier: BSD-3-Clause
// How blocks of the kernels that compute pairs of functions of symmetric element matrices are laid out.
#pragma once

#include <tessera/element/pair_room.hpp>

namespace tessera {

enum class product_way {
  alone,  ///< a thread computes all numbers of a pair of the last direction: thread_matrices.cuh
  held    ///< a warp has D of two elements in registers: held_matrices.cuh
};

struct product_tuning {
  product_way way = product_way::held;
  int elements = 1;  ///< of a block
  int sharing = 1;   ///< warps that share the pairs of two elements, where D is held
  int threads = 128;
  int blocks = 1;  ///< that the compiler makes room for on a multiprocessor, by limiting registers

  friend constexpr bool operator==(const product_tuning&, const product_tuning&) = default;
};

/// What a kernel is made for; counts are those of `couplings` once the last direction is contracted.
struct product_sizes {
  int dim = 3, functions = 2, points = 3, factors = 6;
  int classes = 9;      ///< pairs of classes
  int groups = 4;       ///< what they are once the second direction is contracted, too
  bool packed = false;  ///< the lower triangle only
};

/// In entries, of 8 bytes. Of each pair i >= j of functions of the last direction a block stages what the matrix has of
/// the others, rows and columns being pairs (i,j) of functions of the first and the second direction:
/// [row + row_pitch column + staged_of_pair (pair + pairs element)].
struct product_room {
  product_sizes of;
  product_tuning by;

  static constexpr int rows_of_tile = 16, step = 4;  // of a warp's product: 16 x 4 by 4 x 8

  constexpr bool alone() const { return by.way == product_way::alone; }
  constexpr int pairs() const { return pairs_of(of.functions); }
  constexpr int functions() const { return pair_room::power(of.functions, of.dim); }
  /// Points of the directions below the last one.
  constexpr int points_below() const { return pair_room::power(of.points, of.dim - 1); }
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
  constexpr pair_room written() const {
    return {{of.dim, of.functions, of.points, 8, of.packed, false}, {by.elements, false, by.threads, by.blocks}};
  }

 private:
  static constexpr int up(int n, int to) { return (n + to - 1) / to * to; }
};

}  // namespace tessera
