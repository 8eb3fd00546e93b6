// SPDX-License-Identifier: BSD-3-Clause
// The tuning of a kernel of element matrices on a GPU: its way, and the sizes of its block.
#pragma once

namespace tessera {

/// The ways to element matrices: one kernel each, described in decision 18. Records name them.
struct matrix_way {
  enum : int { columns, distinct, halves, strips, parities, threads, held };
  static constexpr const char* names[] = {"columns", "distinct", "halves", "strips", "parities", "threads", "held"};
  static constexpr int count = sizeof names / sizeof *names;
};

/// Members that a way does not use keep their initial value.
struct matrix_tuning {
  int way = matrix_way::columns;
  int elements = 1;   ///< elements of a block; 1 if several blocks share a matrix
  int threads = 128;  ///< threads of a block
  int blocks = 1;     ///< minimum of resident blocks per multiprocessor: the compiler limits registers for it

  /// The d columns j = j1 + d (j2 + d j3) of a matrix with equal j2 and j3 are a strip, the strips with equal j3 a
  /// slice. A block has `slices` slices of each element, and computes `strips` strips of a slice at once. With more
  /// than one element a block has whole matrices; with more than one slice it computes all strips of a slice at once.
  int slices = 1;
  int strips = 1;
  /// Padding in shared memory against bank conflicts, in entries: of lines along direction 0 (pad_line) and direction 1
  /// (pad_plane), between the entries of one point and the next. For parities, `pad_line` entries follow each staged
  /// column.
  int pad_line = 0, pad_plane = 0;

  int sliced = 0;   ///< distinct, halves: a block has one slice of a matrix
  int tiled = 0;    ///< halves: number of blocks that share a matrix by tiles; 0: no tiles
  int waves = 0;    ///< halves: number of steps that overwrite the last direction's sums; 0: they are not overwritten
  int along = 0;    ///< halves: lanes without a line compute, too, on zeros: only loads and stores depend on the lane
  int at_once = 8;  ///< stores of M that a thread has in flight: halves: pieces of 16 bytes; parities: entries
  int staged = 2;   ///< strips in shared memory: 1, or 2: one is computed while the other is written to M
  int columns = 1;  ///< parities: trial functions that a thread computes at once
  int sharing = 1;  ///< held: warps that share the pairs of two elements

  friend constexpr bool operator==(const matrix_tuning&, const matrix_tuning&) = default;
};

}  // namespace tessera
