// SPDX-License-Identifier: BSD-3-Clause
// A lowered contraction with its pointers: what a run-time kernel row is called with. Trivially copyable.
#pragma once

#include <tessera/core/address.hpp>

namespace tessera {

namespace detail {

/// True where the matrix of a map is packed column-major. The stride of an extent of 1 means nothing.
constexpr bool is_packed(const run_time_map& map, index_t rows, index_t cols) {
  return map.table == nullptr && (rows <= 1 || map.row == 1) && (cols <= 1 || map.col == rows);
}

}  // namespace detail

/// One operand of a run-time kernel: entry (r, c) of loop step l in batch entry b is
/// data[batch_start(b, batch_stride, lanes) + map.offset(r, c, l)]. A shared operand has batch_stride 0 and lanes 1.
template <class T>
struct factor {
  T* data = nullptr;
  index_t batch_stride = 0;
  index_t lanes = 1;
  run_time_map map;

  constexpr T* start(index_t b) const { return data + batch_start(b, batch_stride, lanes); }
};

/// For every batch entry and loop step: out(r, c) = alpha sum_k left(r, k) right(k, c) + beta out(r, c), where a side
/// of two factors is their pointwise product. beta = 0 never reads out. For `pointwise`, n = k = 1 and out(r) = alpha
/// left(r) right(r) + beta out(r).
template <class T>
struct problem {
  canonical form = canonical::general;
  index_t m = 1, n = 1, k = 1, loops = 1;
  index_t batch = 1;
  int left_factors = 1, right_factors = 1;
  factor<const T> left[2];
  factor<const T> right[2];
  factor<T> out;
  T alpha = T(1), beta = T(0);
};

}  // namespace tessera
