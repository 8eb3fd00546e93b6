// SPDX-License-Identifier: BSD-3-Clause
// The kernel of dense tables: what each thread of a block computes, and where shared memory and tables have what.
#pragma once

#include <tessera/element/at_point.hpp>

namespace tessera {

/// A struct of numbers, as a record may hold it. `lanes` threads, a group, share some elements; each has the same
/// points of all of them, one in `lanes`, on the way to the points, and the same test functions on the way back.
struct dense_tuning {
  int lanes = 8;     ///< threads of a group, a multiple of 4
  int groups = 4;    ///< of a block
  int elements = 4;  ///< of a group
  int points = 1;    ///< of a thread at once: a block computes lanes x points of an element's points at a time
  int blocks = 1;    ///< resident on a multiprocessor: the compiler limits registers for that
  /// D of a thread's points is loaded before these are computed; by warp, it comes through shared memory.
  bool ahead = false;
  /// In double: a group is a warp, which has 16 or 32 elements, 8 x points points at once, and multiplies by tensor
  /// cores.
  bool by_warp = false;

  friend constexpr bool operator==(const dense_tuning&, const dense_tuning&) = default;
};

/// Of a component: its value, and its derivatives.
constexpr int slots_of(const point_shape& s, int dim) { return (s.value ? 1 : 0) + (s.gradient ? dim : 0); }

/// What the kernel is made for: d, q and t of an element, and what its function takes and gives at a point.
struct dense_sizes {
  int trial = 1, points = 1, test = 1;
  int trials = 1, tests = 1;  ///< components of u and of v
  int trial_slots = 1, test_slots = 1;
  int factors = 1;
  int entry_bytes = 8;
};

/// In entries. Where all threads of a group read the same ones, they read 16 bytes, a piece, at a time.
struct dense_layout {
  dense_sizes of;
  dense_tuning by;

  constexpr int of_piece() const { return 16 / of.entry_bytes; }
  constexpr int threads() const { return up(by.lanes * by.groups, 32); }
  /// Of a block.
  constexpr int elements() const { return by.groups * by.elements; }

  /// Points at once, and how many such parts an element has.
  constexpr int part() const { return (by.by_warp ? square : by.lanes) * by.points; }
  constexpr int parts() const { return pieces(of.points, part()); }
  /// Test functions of a thread; by warp, tiles of 16 of them.
  constexpr int functions() const { return pieces(of.test, by.by_warp ? 2 * square : by.lanes); }

  // ---- Shared memory: of each element x, and what the function gives at the points of a part. Elements are an odd
  // number of pieces apart, so that neighbouring groups have no bank conflicts. By warp: x and then y, and D of a part;
  // elements are an odd number of quarters of all banks apart.

  /// Functions of a component, padded with zeros.
  constexpr int padded_trial() const { return up(of.trial, by.by_warp ? depth : of_piece()); }
  constexpr int x_pitch() const {
    const int x = of.trials * padded_trial(), y = of.tests * of.test;
    return by.by_warp ? up((x > y ? x : y) + 4, 8) - 4 : odd_pieces(x);
  }
  constexpr int v_pitch() const {
    if (by.by_warp && !by.ahead) return 0;
    return by.by_warp ? of.factors * part() + 4 : odd_pieces(of.tests * of.test_slots * part());
  }
  constexpr int v_start() const { return elements() * x_pitch(); }
  constexpr int entries() const { return elements() * (x_pitch() + v_pitch()); }

  // ---- Tables in memory, zeros where there is no such function or point.

  constexpr int padded_points() const { return parts() * part(); }
  constexpr int padded_test() const { return functions() * (by.by_warp ? 2 * square : by.lanes); }
  constexpr int trial_entries() const { return padded_trial() * of.trial_slots * padded_points(); }
  constexpr int test_entries() const { return padded_points() * of.test_slots * padded_test(); }

  /// Where the entry of x's function i, slot s and point k is. By warp: part of points by part; in a part the entries
  /// of each lane, for each step of four functions, each slot, and each 8 points.
  constexpr int trial_place(int i, int s, int k) const {
    if (!by.by_warp) return k + padded_points() * (s + of.trial_slots * i);
    const int lane = column(k) * depth + i % depth, tile = k / square;
    return lane + 32 * (tile % by.points +
                        by.points * (s + of.trial_slots * (i / depth + padded_trial() / depth * (tile / by.points))));
  }
  /// Of y's. By warp: for each 8 points, each slot, and each of the two products of four points, of which a lane has
  /// one, pairs of functions that are 8 apart.
  constexpr int test_place(int i, int s, int k) const {
    if (!by.by_warp) return i + padded_test() * (s + of.test_slots * k);
    const int lane = i % square * depth + column(k) / 2, row = i / square % 2, tile = i / (2 * square);
    return row + 2 * (lane + 32 * (tile + functions() * (column(k) % 2 + 2 * (s + of.test_slots * (k / square)))));
  }

 private:
  // Of point k, among 8: a lane has columns 2 n and 2 n + 1 of products. Where D is staged, neighbouring lanes read
  // neighbouring points; else each lane reads two neighbours, so that a sector is loaded once.
  constexpr int column(int k) const { return by.ahead ? k % depth * 2 + k / depth % 2 : k % square; }

  // Of a product of a warp.
  static constexpr int square = 8, depth = 4;
  static constexpr int pieces(int all, int of_one) { return (all + of_one - 1) / of_one; }
  static constexpr int up(int number, int multiple) { return pieces(number, multiple) * multiple; }
  constexpr int odd_pieces(int entries) const { return (pieces(entries, of_piece()) | 1) * of_piece(); }
};

}  // namespace tessera
