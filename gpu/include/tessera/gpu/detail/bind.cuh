// SPDX-License-Identifier: BSD-3-Clause
// From the factors of a problem to the operands of a kernel: which are packed, which are shared, and the order of
// access.
#pragma once

#include <tessera/detail/problem.hpp>
#include <tessera/gpu/detail/operand.cuh>

namespace tessera::device {

/// Extents and number of one operand's matrices.
struct matrix_count {
  index_t rows, cols, loops, batch;
};

/// True where entry (r, c) of product p is at p rows cols + the offset in a matrix without gaps, p = b loops + l.
template <class T>
constexpr bool is_packed(const factor<T>& f, const matrix_count& n) {
  if (f.map.table || f.lanes != 1) return false;
  const bool by_rows = (n.rows == 1 || f.map.row == 1) && (n.cols == 1 || f.map.col == n.rows);
  const bool by_cols = (n.cols == 1 || f.map.col == 1) && (n.rows == 1 || f.map.row == n.cols);
  if (!by_rows && !by_cols) return false;
  index_t step = n.rows * n.cols;
  for (int i = 0; i < f.map.loop_rank; ++i) {
    if (f.map.loop_extent[i] > 1 && f.map.loop_stride[i] != step) return false;
    step *= f.map.loop_extent[i];
  }
  return n.batch == 1 || f.batch_stride == step;
}

/// True where all products use the same matrix.
template <class T>
constexpr bool is_shared(const factor<T>& f, const matrix_count& n) {
  if (f.map.table && n.loops > 1) return false;
  for (int i = 0; i < f.map.loop_rank; ++i)
    if (f.map.loop_extent[i] > 1 && f.map.loop_stride[i] != 0) return false;
  return n.batch == 1 || f.batch_stride == 0;
}

template <class T>
constexpr walk walk_of(const factor<T>& f) {
  if (f.lanes > 1) return walk::products;
  if (f.map.table || f.map.row == 1) return walk::rows;
  if (f.map.col == 1) return walk::cols;
  const bool adjacent = f.batch_stride == 1 || (f.map.loop_rank > 0 && f.map.loop_stride[0] == 1);
  return adjacent ? walk::products : walk::rows;
}

template <class In, class Out, class Sum>
constexpr bool is_single_factor_strided(const problem<In, Out, Sum>& p) {
  return p.left_factors == 1 && p.right_factors == 1 && !p.left[0].map.table && !p.right[0].map.table &&
         !p.out.map.table;
}

/// Lanes read consecutive rows: in a chunk of a transposed left side with a stride of 16 or 32 these would be in one
/// bank.
template <class T>
constexpr bool may_come_as_left_chunk(const factor<T>& f) {
  return f.map.row == 1 || f.map.row % 16 != 0;
}

/// The operand of `f`. Strides of extents 1 are set to those of a packed matrix, since the tile in shared memory uses
/// them.
template <class Map, class T>
constexpr mapped<T, Map> bind(const factor<T>& f, const matrix_count& n, bool whole, bool one_tile) {
  mapped<T, Map> o{f.data, f.batch_stride, f.lanes, Map{f.map}, walk_of(f), false, false};
  o.packed = whole && is_packed(f, n);
  o.shared = one_tile && is_shared(f, n);
  if (o.packed && o.shared) o.packed = n.batch * n.loops == 1;  // one matrix in all
  if (o.packed) {
    if (n.rows == 1) o.map.row = n.cols == 1 ? 1 : n.cols * o.map.col;
    if (n.cols == 1) o.map.col = n.rows * o.map.row;
    o.shared = false;
  }
  return o;
}

/// The same in a launch over groups, where no operand is packed; null `members` for a batch or a shared tensor.
template <class Map, class T>
constexpr grouped<T, Map> bind_group(const factor<T>& f, T* const* members, const matrix_count& n, bool one_tile) {
  const bool shared = one_tile && members == nullptr && is_shared(f, n);
  return {members, f.data, f.batch_stride, f.lanes, Map{f.map}, walk_of(f), shared};
}

}  // namespace tessera::device
