// SPDX-License-Identifier: BSD-3-Clause
// How a kernel of element matrices on a GPU is set up: which way it goes, and its block, as a struct of numbers.
#pragma once

namespace tessera {

/// The ways to element matrices: one kernel each, described in decision 18. Records name them.
struct matrix_way {
  enum : int { columns, distinct, halves, strips, parities, threads, held };
  static constexpr const char* names[] = {"columns", "distinct", "halves", "strips", "parities", "threads", "held"};
  static constexpr int count = sizeof names / sizeof *names;
};

/// Fields that a way does not have stay as they are here.
struct matrix_tuning {
  int way = matrix_way::columns;
  int elements = 1;   ///< of a block; 1 where a matrix has several blocks
  int threads = 128;  ///< of a block
  int blocks = 1;     ///< that the compiler makes room for on a multiprocessor, by limiting registers

  /// Columns j = j1 + d (j2 + d j3) of a matrix come in strips of d, those of equal j2 and j3, and strips of equal j3
  /// in slices. A block has some slices of each element, and so many strips of a slice at once. More than one element:
  /// whole matrices. More than one slice: all strips.
  int slices = 1;
  int strips = 1;
  /// Lines along directions 0 and 1 that are left out between points in shared memory, for the sake of its banks; with
  /// parities `pad_line` numbers behind each staged column.
  int pad_line = 0, pad_plane = 0;

  int sliced = 0;   ///< distinct, halves: a block has of one matrix the columns of one function of the last direction
  int tiled = 0;    ///< halves: so many blocks share a matrix by tiles; 0: none
  int waves = 0;    ///< halves: the last direction's sums are replaced in place in so many steps; 0: they stay
  int along = 0;    ///< halves: lanes that have no line go with the others
  int at_once = 8;  ///< halves: pieces of M that a thread has under way together; parities: entries
  int staged = 2;   ///< strips in shared memory: 1, or 2 by turns, one while the other is written
  int columns = 1;  ///< parities: trial functions that a thread takes at once
  int sharing = 1;  ///< held: warps that share the pairs of two elements

  friend constexpr bool operator==(const matrix_tuning&, const matrix_tuning&) = default;
};

}  // namespace tessera
