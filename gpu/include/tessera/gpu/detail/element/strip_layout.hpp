// SPDX-License-Identifier: BSD-3-Clause
// How blocks of the kernel that computes symmetric element matrices strip by strip on tensor cores are laid out.
#pragma once

#include <tessera/gpu/detail/element/halved_layout.hpp>

namespace tessera {

/// In entries, of 8 bytes; 3-D, at most 8 functions and 8 points a direction. A block has a *slice*: the columns of one
/// function of the last direction, and computes and writes it by *strips*, the columns of one function of the second
/// direction. Sums over the last direction are [point 2, point 1, class, function of the last direction].
/// Of full matrices a strip's columns follow each other
/// as in M, of triangles, whose columns begin later and later, each has room of its own.
struct strip_layout {
  halved_sizes of;
  matrix_tuning by;

  static constexpr int square = 8, classes = 8;
  static constexpr int class_pitch = square * square, pair_pitch = classes * class_pitch + square;
  /// Of a class: pairs of points of the second direction change places, so that lanes meet in few banks.
  static constexpr int place_of_point(int first, int second) {
    return square * first + 2 * (second / 2 ^ first / 2 % 4) + second % 2;
  }
  static constexpr int line = 16;  // entries of 128 bytes

  constexpr int functions() const { return of.functions * of.functions * of.functions; }
  constexpr int points_below() const { return of.points * of.points; }
  constexpr int points() const { return points_below() * of.points; }
  /// Blocks that share a matrix.
  constexpr int parts() const { return of.functions; }
  constexpr int warps() const { return by.threads / 32; }

  constexpr int sums_entries() const { return of.functions * pair_pitch; }
  constexpr int column_pitch() const { return of.packed ? (functions() + 2 * line) / line * line : functions(); }
  constexpr int staged_place(int strip) const {
    return up_to_line(sums_entries()) + strip % by.staged * staged_entries();
  }
  constexpr int staged_entries() const { return up_to_line(column_pitch() * of.functions + line); }
  constexpr int entries() const { return staged_place(0) + by.staged * staged_entries(); }
  constexpr int bytes() const { return entries() * 8; }

  /// Where row 0 of a column would stand in a matrix.
  constexpr int start_of(int column) const {
    return of.packed ? column * functions() - column * (column + 1) / 2 : column * functions();
  }
  constexpr int entries_of_matrix() const {
    return of.packed ? functions() * (functions() + 1) / 2 : functions() * functions();
  }

 private:
  static constexpr int up_to_line(int n) { return (n + line - 1) / line * line; }
};

}  // namespace tessera
