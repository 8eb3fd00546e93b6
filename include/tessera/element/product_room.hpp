// SPDX-License-Identifier: BSD-3-Clause
// How a block of the kernel that makes symmetric element matrices by products of warps is laid out.
#pragma once

#include <tessera/element/pair_room.hpp>

namespace tessera {

struct product_tuning {
  int elements = 1;     ///< of a block; 1 where there are rounds
  bool rounds = false;  ///< one for each function j of the last direction: its pairs i >= j
  bool fused = false;   ///< the directions below the last one are contracted at once; where there is one, it is
  bool alone = false;   ///< a thread computes all numbers of a pair; see thread_matrices.cuh
  bool held = false;    ///< D of two elements goes straight to a warp's registers; `tiles` warps share their pairs
  bool lines = false;   ///< the last direction is contracted by lines of threads, not by products
  int tiles = 1;        ///< of 8 columns that a warp multiplies a table's fragment with
  int threads = 128;
  int blocks = 1;  ///< that the compiler makes room for on a multiprocessor, by limiting registers

  friend constexpr bool operator==(const product_tuning&, const product_tuning&) = default;
};

/// What the kernel is made for; counts are those of `couplings` once the last direction is contracted.
struct product_sizes {
  int dim = 3, functions = 2, points = 3, factors = 6;
  int classes = 9;              ///< pairs of classes
  int groups = 4;               ///< what they are once the second direction is contracted, too
  int joins[4] = {1, 2, 2, 4};  ///< pairs of classes that become group g
  bool packed = false;          ///< the lower triangle only
};

/// In entries, of 8 bytes. Columns of the right operand have what a product sums over, `depth`, side by side, and
/// `column_pitch` between them. Pairs of the last direction are those of all elements of a round.
struct product_room {
  product_sizes of;
  product_tuning by;

  static constexpr int square = 8, rows_of_tile = 16, step = 4;  // of a warp's product: 16 x 4 by 4 x 8

  constexpr int pairs() const { return pairs_of(of.functions); }
  constexpr int functions() const { return pair_room::power(of.functions, of.dim); }
  constexpr bool fused() const { return by.fused || by.alone || of.dim == 2; }
  constexpr int rounds() const { return by.rounds ? of.functions : 1; }
  /// Of a round: at most, for those of function j are d - j.
  constexpr int round_pairs() const { return by.rounds ? of.functions : pairs(); }
  /// That are staged together: in rounds the lower triangle's come and go.
  constexpr int staged_pairs() const { return by.rounds && of.packed ? of.functions : pairs(); }

  /// Points of the directions below the last one.
  constexpr int points_below() const { return pair_room::power(of.points, of.dim - 1); }
  constexpr int points() const { return points_below() * of.points; }
  /// Pairs (i,j) of functions of the directions that a product's table has: rows.
  constexpr int rows() const { return pair_room::power(of.functions, fused() ? 2 * (of.dim - 1) : 2); }
  constexpr int row_tiles() const { return up(rows(), rows_of_tile) / rows_of_tile; }

  // The first product of a chain: group g sums over its lists of points, padded to whole steps.
  constexpr int group_depth(int g) const { return up(of.joins[g] * of.points, step); }
  constexpr int group_start(int g) const {
    int before = 0;
    for (int n = 0; n < g; ++n) before += group_depth(n);
    return before;
  }
  constexpr int depth() const { return fused() ? up(of.classes * points_below(), step) : group_start(of.groups); }
  /// Lanes of half a warp, four of a column's entries each, meet in no bank.
  constexpr int column_pitch() const { return up(depth(), 8) - 4 < depth() ? up(depth(), 8) + 4 : up(depth(), 8) - 4; }
  /// Columns of a pair: points of the first direction, or one.
  constexpr int columns_of_pair() const { return fused() ? 1 : of.points; }

  /// Staged: [row + row_pitch (column + columns of a pair's (pair + staged_pairs element))].
  // What half a warp reads of it when entries are written stands in other banks, mostly.
  constexpr int row_pitch() const { return rows() + (rows() % 16 == 0 ? 3 : rows() % 2 == 0 ? 2 : 1); }
  constexpr int staged_columns() const { return fused() ? 1 : rows(); }
  constexpr int staged_of_pair() const {
    if (by.alone) return rows() + (rows() + 1) % 2;
    return fused() ? rows() + (rows() == 36 ? 2 : 1) : row_pitch() * staged_columns() + 1;
  }
  constexpr int staged_entries() const { return by.elements * staged_pairs() * staged_of_pair(); }

  // Where things start. D is read before anything is staged, unless there are more rounds.
  constexpr int data_place() const {
    return by.alone ? staged_entries() : by.rounds ? columns_place() + columns_entries() : 0;
  }
  constexpr int data_pitch() const { return of.factors * points() + (by.alone && points() % 2 * of.factors % 2 == 0); }
  constexpr int data_entries() const { return by.elements * data_pitch(); }
  constexpr int columns_place() const {
    return by.rounds || staged_entries() > data_entries() ? staged_entries() : up(data_entries(), 2);
  }
  constexpr int columns_entries() const { return by.elements * round_pairs() * columns_of_pair() * column_pitch(); }
  constexpr int entries() const {
    if (by.held) return staged_entries();
    if (by.alone) return data_place() + data_entries();
    return columns_place() + columns_entries() + (by.rounds ? data_entries() : 0);
  }
  constexpr int bytes() const { return entries() * 8; }

  // Fragments of tables, two entries of each lane: of the first product of a chain, then of the last one.
  static constexpr int lanes = 32, fragment = 2 * lanes;
  constexpr int first_steps() const { return fused() ? 0 : depth() / step; }
  /// Of a chain: for each group points 0 .. 3 of the first direction, then of all groups the points behind: as many
  /// steps as there are.
  constexpr int last_steps() const {
    return fused() ? depth() / step : of.groups + (of.points > step ? of.points - step : 0);
  }
  constexpr int last_place() const { return row_tiles() * first_steps() * fragment; }
  // Those of the last direction: rows are its pairs, all of them or a round's.
  constexpr int pair_tiles() const { return by.rounds ? of.functions : up(pairs(), rows_of_tile) / rows_of_tile; }
  constexpr int pair_steps() const { return up(of.points, step) / step; }
  constexpr int pairs_place() const { return last_place() + row_tiles() * last_steps() * fragment; }
  /// The first fragment of a tile's products of values, or slopes.
  constexpr int pair_table(int tile, bool out, bool in) const {
    return pairs_place() / fragment + (4 * tile + 2 * out + in) * pair_steps();
  }
  constexpr int table_entries() const {
    if (by.held) return 4 * fragment;
    if (by.alone) return 4 * of.points * pairs();
    return pairs_place() + 4 * pair_tiles() * pair_steps() * fragment;
  }
  /// The point of the first direction that stands in a column of a group's tile; there may be none.
  constexpr int point_of(int column, int group) const {
    if (pairs_of_tile() == 2) return column / 2;
    return column % 2 == 0 ? column / 2 : step + (column / 2 + step - group) % step;
  }
  /// Pairs whose points of the first direction fit the columns of a tile.
  constexpr int pairs_of_tile() const { return of.points <= square / 2 ? 2 : 1; }

  /// The matrix in slices of columns, as rounds complete them; see pair_room.
  constexpr pair_room slices() const {
    return {{of.dim, of.functions, of.points, 8, of.packed, false}, {by.elements, by.rounds, by.threads, by.blocks}};
  }

 private:
  static constexpr int up(int n, int to) { return (n + to - 1) / to * to; }
};

}  // namespace tessera
