// SPDX-License-Identifier: BSD-3-Clause
// The generic rows for all sizes and layouts: strided operands, operands by table or of two factors, and pointwise
// products. Operand is `mapped`, or `grouped` for launches over groups.
#pragma once

#include "gemm_rows.hpp"

#include <tessera/gpu/detail/bind.cuh>
#include <tessera/gpu/detail/launch.cuh>
#include <tessera/gpu/detail/pointwise.cuh>

namespace tessera::device {

inline constexpr int generic_threads = 128;

template <template <class, class> class Operand, class Map, class T>
Operand<T, Map> bind_as(const factor<T>& f, T* const* members, const matrix_count& n, bool whole, bool one_tile) {
  if constexpr (same_type<Operand<T, Map>, grouped<T, Map>>)
    return bind_group<Map>(f, members, n, one_tile);
  else
    return bind<Map>(f, n, whole, one_tile);
}

template <template <class, class> class Operand, int Tile, class T>
void run_strided(const problem<T>& p, const problem_members<T>& from, const kernel_name& name, cudaStream_t stream) {
  using input = Operand<const T, strided_map>;
  using result = Operand<T, strided_map>;
  const gemm_sizes s = sizes_for<T>(p.m, p.n, p.k, p.loops, p.batch, Tile, Tile, generic_threads,
                                    positions<input, input, result>::each, p.out.lanes);
  const bool whole = s.is_whole();
  const bool bulk = whole && p.k > 0, bulk_left = bulk && may_come_as_left_chunk(p.left[0]);
  const gemm_arguments<T, input, input, result> a{
      bind_as<Operand, strided_map>(p.left[0], from.left[0], {p.m, p.k, p.loops, p.batch}, bulk_left, s.row_tiles == 1),
      bind_as<Operand, strided_map>(p.right[0], from.right[0], {p.k, p.n, p.loops, p.batch}, bulk, s.col_tiles == 1),
      bind_as<Operand, strided_map>(p.out, from.out, {p.m, p.n, p.loops, p.batch}, whole, false),
      p.alpha,
      p.beta,
      s};
  using shape = block_shape<0, generic_threads, Tile, Tile>;
  if (whole)
    launch_gemm<T, any_size, any_size, any_size, shape>(a, name, stream);
  else
    launch_gemm<T, tiled, tiled, tiled, shape>(a, name, stream);
}

template <template <class, class> class Operand, class T>
using any_side = product_of<Operand<const T, run_time_map>, Operand<const T, run_time_map>>;

template <template <class, class> class Operand, class T>
any_side<Operand, T> bind_side(const factor<const T> (&factors)[2], const T* const* const (&members)[2], int count,
                               const matrix_count& n, bool one_tile) {
  any_side<Operand, T> side{
      bind_as<Operand, run_time_map>(factors[0], members[0], n, false, one_tile), {}, walk_of(factors[0]), false};
  side.shared = side.first.shared;
  if (count == 2) {
    side.second = bind_as<Operand, run_time_map>(factors[1], members[1], n, false, one_tile);
    side.shared = side.shared && side.second.shared;
  }
  return side;
}

template <template <class, class> class Operand, class T>
void run_any(const problem<T>& p, const problem_members<T>& from, const kernel_name& name, cudaStream_t stream) {
  using side = any_side<Operand, T>;
  using result = Operand<T, run_time_map>;
  constexpr int tile = 2;
  const gemm_sizes s = sizes_for<T>(p.m, p.n, p.k, p.loops, p.batch, tile, tile, generic_threads,
                                    positions<side, side, result>::each, p.out.lanes);
  const gemm_arguments<T, side, side, result> a{
      bind_side<Operand, T>(p.left, from.left, p.left_factors, {p.m, p.k, p.loops, p.batch}, s.row_tiles == 1),
      bind_side<Operand, T>(p.right, from.right, p.right_factors, {p.k, p.n, p.loops, p.batch}, s.col_tiles == 1),
      bind_as<Operand, run_time_map>(p.out, from.out, {p.m, p.n, p.loops, p.batch}, false, false),
      p.alpha,
      p.beta,
      s};
  launch_gemm<T, tiled, tiled, tiled, block_shape<0, generic_threads, tile, tile>>(a, name, stream);
}

template <template <class, class> class Operand, class T>
void launch_generic_as(const problem<T>& p, const problem_members<T>& from, const kernel_name& name, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  // A tile wider than the product wastes threads; many small tiles waste loads from shared memory.
  const index_t results = (p.m < 32 ? p.m : 32) * (p.n < 32 ? p.n : 32);
  if (!is_single_factor_strided(p))
    run_any<Operand>(p, from, name, on);
  else if (results <= 9)
    run_strided<Operand, 1>(p, from, name, on);
  else if (results <= 256)
    run_strided<Operand, 2>(p, from, name, on);
  else
    run_strided<Operand, 4>(p, from, name, on);
}

template <template <class, class> class Operand, class T>
void launch_pointwise_as(const problem<T>& p, const problem_members<T>& from, const kernel_name& name, void* stream) {
  const matrix_count n{p.m, 1, p.loops, p.batch};
  using input = Operand<const T, run_time_map>;
  using result = Operand<T, run_time_map>;
  pointwise_arguments<T, input, input, result> a{
      bind_as<Operand, run_time_map>(p.left[0], from.left[0], n, true, false),
      bind_as<Operand, run_time_map>(p.right[0], from.right[0], n, true, false),
      bind_as<Operand, run_time_map>(p.out, from.out, n, true, false),
      p.alpha,
      p.beta,
      p.m,
      p.loops,
      p.m * p.loops * p.batch,
      p.batch,
      p.out.lanes > 1};
  if (a.left.packed && a.right.packed && a.out.packed) {  // one long row
    a.rows = a.total;
    a.loops = a.batch = 1;
    a.batch_first = false;
  }
  launch_pointwise(a, name, static_cast<cudaStream_t>(stream));
}

}  // namespace tessera::device
