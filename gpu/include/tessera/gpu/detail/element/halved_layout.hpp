// SPDX-License-Identifier: BSD-3-Clause
// How blocks of the kernel that computes symmetric element matrices by lines in halves are laid out.
#pragma once

#include <tessera/gpu/detail/element/pair_layout.hpp>

namespace tessera {

/// Products of two functions of one direction at the points. Let (r,s) = (d-1-i, d-1-j) be the mirror images of i and
/// j. The pairs (i,j), (j,i), (r,s) and (s,r) have the same products up to order and sign: they are one *unit*, named
/// by its pair with i >= j and i + j < d. Its products are stored as an even and an odd half, for k < q / 2: half the
/// sum and half the difference of the products at points k and q-1-k. A middle point belongs to the even half,
/// unchanged.
struct halved_units {
  int functions, points;

  /// B_i B_j, G_i G_j, (B_i G_j + G_i B_j) / 2, and (B_i G_j - G_i B_j) / 2, which changes its sign with (j,i). The
  /// latter two change theirs with (r,s), too.
  enum : int { value, slope, both, turn };
  static constexpr int kinds = 4;

  constexpr int even_points() const { return (points + 1) / 2; }
  constexpr int points_of(bool odd) const { return odd ? points / 2 : even_points(); }
  constexpr int count() const { return pair_units{functions, points, true}.count(); }
  /// The pair (i,j) of a unit: column_of() is j, row_of() is i.
  constexpr int column_of(int unit) const {
    int j = 0;
    while (unit >= first_of(j + 1)) ++j;
    return j;
  }
  constexpr int row_of(int unit) const { return column_of(unit) + unit - first_of(column_of(unit)); }
  /// Whether a half of a unit's products has an entry that is not zero.
  constexpr bool has(int kind, bool odd, int unit) const {
    const bool diagonal = row_of(unit) == column_of(unit), across = row_of(unit) + column_of(unit) == functions - 1;
    if (kind == turn) return !diagonal && !(odd && across);
    return !across || odd == (kind == both);
  }
  /// The position of that half among the constants.
  constexpr int place(int kind, bool odd, int unit) const {
    int before = 0;
    for (int u = 0; u < unit; ++u) before += of_unit(u);
    for (int n = 0; n < kind; ++n) before += of_kind(n, unit);
    return before + (odd && has(kind, false, unit) ? points_of(false) : 0);
  }
  constexpr int entries() const { return place(0, false, count() - 1) + of_unit(count() - 1); }

 private:
  constexpr int first_of(int j) const { return j * functions - j * (j - 1); }
  constexpr int of_kind(int kind, int unit) const {
    return (has(kind, false, unit) ? points_of(false) : 0) + (has(kind, true, unit) ? points_of(true) : 0);
  }
  constexpr int of_unit(int unit) const {
    int all = 0;
    for (int kind = 0; kind < kinds; ++kind) all += of_kind(kind, unit);
    return all;
  }
};

struct halved_sizes {
  int functions = 2, points = 3;
  bool packed = false;  ///< the lower triangle only
};

/// Shared memory of a block, in entries of 8 bytes; 3-D. A *pair* is a pair of functions of the last direction, a
/// *line* a pair of functions of the second one, numbered by line_of(). k0 and k1 are points of the first and the
/// second direction, (i,j) is a pair of functions of the first one. The values are at
///
///     after the last direction:    sums_place() + k0 + q (k1 + q class) + sums_pitch() pair
///     after the second direction:  k0 + q group + pitch() line + slot() pair
///     after the first direction:   place_in_line(i,j) + pitch() line + slot() pair, which are the entries of M
struct halved_layout {
  halved_sizes of;
  matrix_tuning by;

  static constexpr int groups = 4, classes = 8;
  constexpr halved_units units() const { return {of.functions, of.points}; }
  constexpr int functions() const { return of.functions * of.functions * of.functions; }
  constexpr int points_below() const { return of.points * of.points; }
  constexpr int points() const { return points_below() * of.points; }
  /// Blocks that share a matrix.
  constexpr int parts() const { return by.sliced ? of.functions : by.tiled > 0 ? by.tiled : 1; }
  constexpr int pairs() const { return by.sliced ? of.functions : pairs_of(of.functions) / larger(by.tiled, 1); }

  /// Pairs of the last direction that tiles are made of: (i,j) of a unit, or its mirror image (d-1-j, d-1-i).
  struct pair_of_tile {
    int unit = 0;
    bool image = false;
  };
  /// Pair n of a part. Each part has as many units that are their own image, first, and as many of the others, whose
  /// image comes next; those of the diagonal, which have one tile, are dealt out before the rest.
  constexpr pair_of_tile pair_of(int part, int n) const {
    const int alone = own_images() / parts();
    if (n < alone) return {unit_of(true, part + parts() * n), false};
    return {unit_of(false, part + parts() * ((n - alone) / 2)), (n - alone) % 2 == 1};
  }
  constexpr bool deals_out_evenly() const {
    return own_images() % parts() == 0 && (units().count() - own_images()) % parts() == 0;
  }

  constexpr int lines_of_pair() const { return of.functions * of.functions; }
  constexpr int pitch() const { return odd(larger(groups * of.points, lines_of_pair())); }
  // Lanes of half a warp use different banks of shared memory: in the second direction the lane number counts pairs
  // first, all of them or those of a wave, and the distance of pairs makes a lane's bank a multiple of its number. If d
  // is odd, all lines are equally far apart.
  constexpr bool even_lines() const { return of.functions % 2 == 1 && !by.sliced && by.waves < 2; }
  constexpr int lanes_of_pairs() const {
    const int waves = larger(by.waves, 1), least = (pairs() + waves - 1) / waves;
    if (!even_lines()) return odd(least);
    int n = least;
    while (n % 16 != 0 && n * natural() % 16 != 1) ++n;
    return n;
  }
  constexpr int natural() const { return lines_of_pair() * pitch() % 16; }
  constexpr int residue() const {
    const int n = lanes_of_pairs() % 16;
    return even_lines() ? natural() : n * n % 16 * n % 16;  // n residue = 1 (modulo 16)
  }
  constexpr bool apart() const { return by.waves == 0; }
  constexpr int sums() const { return classes * points_below(); }
  constexpr int slot() const { return to_residue(larger(lines_of_pair() * pitch(), apart() ? 0 : sums()), residue()); }
  constexpr int staged_entries() const { return pairs() * slot(); }
  constexpr int sums_pitch() const { return apart() ? to_residue(sums(), residue()) : slot(); }
  constexpr int sums_place() const { return apart() ? staged_entries() : 0; }
  constexpr int entries() const { return staged_entries() + (apart() ? pairs() * sums_pitch() : 0); }
  constexpr int bytes() const { return entries() * 8; }

  /// Tasks of a wave are pairs and points of the first direction; each group has warps of its own.
  constexpr int threads_of_wave() const { return groups * ((lanes_of_pairs() * of.points + 31) / 32 * 32); }

  /// Pairs (i,j) of the first direction and of the second one: the order that meets in the fewest banks as M is
  /// written.
  constexpr int place_in_line(int i, int j) const {
    return of.functions == 4 ? i + of.functions * j : j + of.functions * i;
  }
  constexpr int line_of(int i, int j) const { return of.functions == 4 ? j + of.functions * i : i + of.functions * j; }

  /// The matrices as a block writes them.
  constexpr pair_layout written() const { return {{3, of.functions, of.points, 8, of.packed, false}, by}; }

 private:
  constexpr bool is_own_image(int unit) const {
    return units().row_of(unit) + units().column_of(unit) == of.functions - 1;
  }
  constexpr int own_images() const { return (of.functions + 1) / 2; }
  /// The `which`-th unit that is its own image, or of those that are not, first on the diagonal, then off it.
  constexpr int unit_of(bool own_image, int which) const {
    for (int turn = 0; turn < 2; ++turn)
      for (int u = 0; u < units().count(); ++u) {
        const bool diagonal = units().row_of(u) == units().column_of(u);
        if (is_own_image(u) != own_image || diagonal != (turn == 0)) continue;
        if (which-- == 0) return u;
      }
    return -1;
  }
  static constexpr int odd(int n) { return n + 1 - n % 2; }
  static constexpr int larger(int a, int b) { return a > b ? a : b; }
  static constexpr int to_residue(int n, int r) { return n + (r - n % 16 + 16) % 16; }
};

}  // namespace tessera
