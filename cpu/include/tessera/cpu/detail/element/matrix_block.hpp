// SPDX-License-Identifier: BSD-3-Clause
// One call of a kernel of element matrices: as many elements as a vector has lanes.
#pragma once

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/element/matrix_storage.hpp>

namespace tessera {

/// Products of a test and a trial function of one direction, at its points. Where the functions are the same,
/// {i,j} and {j,i} are one pair, and pairs follow one another by the smaller function and then by the larger: {0,0},
/// {1,0}, ... {1,1}, {2,1}, ... Each entry of a table is repeated as often as the kernel needs it (table_width).
template <class T>
struct matrix_pairs {
  const T* of_pairs = nullptr;    // of pair p at point k: entry k + points p
  const T* of_columns = nullptr;  // of functions i and j: entry k + points (i + test j)
  const int* pair = nullptr;      // of functions i and j at [i + test j]
  /// Where in a slice the entries of its columns are, column by column; null where they are too many.
  const int* places = nullptr;
  index_t count = 0;  // pairs
  index_t trial = 0, points = 0, test = 0;
};

template <class T>
struct matrix_block {
  const T* D = nullptr;  // of point k of lane w at [w + lanes k], aligned to a vector
  lane_starts<T> M;      // where the lanes' matrices begin
  T* scratch = nullptr;
  const matrix_pairs<T>* pairs = nullptr;
  int components = 1;  // of x and of y, which are not coupled
  matrix_storage how = matrix_storage::full;
  bool nontemporal = false;
  prefetcher* prefetch = nullptr;  // steps on with each call; may be null
};

}  // namespace tessera
