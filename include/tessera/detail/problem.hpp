// SPDX-License-Identifier: BSD-3-Clause
// A lowered contraction with its pointers: the argument of a run-time kernel row. Trivially copyable.
#pragma once

#include <tessera/core/address.hpp>
#include <tessera/core/product_types.hpp>

namespace tessera {

namespace detail {

/// True where the matrix of a map is packed column-major. The stride of an extent of 1 is ignored.
constexpr bool is_packed(const run_time_map& map, index_t rows, index_t cols) {
  return map.is_strided() && (rows <= 1 || map.row == 1) && (cols <= 1 || map.col == rows);
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

namespace detail {

/// One matrix for all products, in any layout: CPU rows pack it.
template <class T>
constexpr bool is_table(const factor<T>& f, index_t loops) {
  if (f.batch_stride != 0 || f.lanes != 1) return false;
  if (loops == 1) return true;
  for (int i = 0; i < f.map.loop_rank; ++i)
    if (f.map.loop_stride[i] != 0) return false;
  return f.map.table == nullptr;
}

}  // namespace detail

/// For every batch entry and loop step: out(r, c) = alpha sum_k left(r, k) right(k, c) + beta out(r, c), where a side
/// of two factors is their pointwise product. beta = 0 never reads out. For `pointwise`, n = k = 1 and out(r) = alpha
/// left(r) right(r) + beta out(r). Inputs are In, the result is Out, and everything between them is Sum.
template <class In, class Out = In, class Sum = In>
struct problem {
  canonical form = canonical::general;
  index_t m = 1, n = 1, k = 1, loops = 1;
  index_t batch = 1;
  int left_factors = 1, right_factors = 1;
  bool left_conjugated[2] = {false, false}, right_conjugated[2] = {false, false};  // factors of complex entries
  factor<const In> left[2];
  factor<const In> right[2];
  factor<Out> out;
  Sum alpha = Sum(1), beta = Sum(0);
};

template <class In, class Out, class Sum>
  requires(is_kernel_scalar<In>&& is_kernel_scalar<Out>&& is_kernel_scalar<Sum>)
constexpr product_types types_of(const problem<In, Out, Sum>&) {
  return {scalar_of<In>, scalar_of<Out>, scalar_of<Sum>};
}

}  // namespace tessera
