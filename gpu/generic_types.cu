// SPDX-License-Identifier: BSD-3-Clause
// The generic rows for all sizes and layouts, for all types but float and double: a gemm kernel for packed results, one
// for any mixture of groups, batches and shared tensors, and a pointwise kernel.
#include "gemm_rows.hpp"

#include <cstdint>

#include <tessera/gpu/detail/bind.cuh>
#include <tessera/gpu/detail/converting.cuh>
#include <tessera/gpu/detail/launch.cuh>
#include <tessera/gpu/detail/pointwise.cuh>

namespace tessera::device {

namespace {

constexpr int generic_threads = 128, tile = 2;

template <class Sum, class Entry>
using any_operand = converting<grouped<Entry, run_time_map>, Sum>;

template <class Sum, class Entry>
any_operand<Sum, Entry> bind_any(const factor<Entry>& f, const void* members, const matrix_count& n, bool one_tile,
                                 bool conjugated) {
  return as_sums<Sum>(bind_group<run_time_map>(f, static_cast<Entry* const*>(members), n, one_tile), conjugated);
}

template <class Sum, class In>
product_of<any_operand<Sum, const In>, any_operand<Sum, const In>> bind_side(const factor<const In> (&factors)[2],
                                                                             const void* const (&members)[2],
                                                                             const bool (&conjugated)[2], int count,
                                                                             const matrix_count& n, bool one_tile) {
  const auto first = bind_any<Sum>(factors[0], members[0], n, one_tile, conjugated[0]);
  if (count == 1) return {first, {}, walk_of(factors[0]), first.shared};
  const auto second = bind_any<Sum>(factors[1], members[1], n, one_tile, conjugated[1]);
  return {first, second, walk_of(factors[0]), first.shared && second.shared};
}

// Complex entries may be aligned like their parts only, which is not enough for chunks.
template <class T>
bool starts_on_an_entry(const T* data) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(T) == 0;
}

// Whole products by a chunk of each operand, or by a gather of one matrix for all products: if no operand is a group,
// has a table of offsets or two factors, and the result is packed.
template <int Tile, class In, class Out, class Sum>
bool multiply_chunks(const problem<In, Out, Sum>& p, const any_members& from, const kernel_name& name,
                     cudaStream_t stream) {
  using input = unconverted<const In>;
  using result = unconverted<Out>;
  const bool has_members = from.left[0] || from.right[0] || from.out;
  if (has_members || !is_single_factor_strided(p) || p.k == 0) return false;
  if (!starts_on_an_entry(p.left[0].data) || !starts_on_an_entry(p.right[0].data) || !starts_on_an_entry(p.out.data))
    return false;
  const gemm_sizes s = sizes_for<Sum>(p.m, p.n, p.k, p.loops, p.batch, Tile, Tile, generic_threads,
                                      positions<input, input, result>::each, p.out.lanes);
  if (!s.is_whole()) return false;
  const result out{bind<strided_map>(p.out, {p.m, p.n, p.loops, p.batch}, true, false), false};
  if (!out.packed) return false;
  const gemm_arguments<Sum, input, input, result> a{
      {bind<strided_map>(p.left[0], {p.m, p.k, p.loops, p.batch}, may_come_as_left_chunk(p.left[0]), true),
       p.left_conjugated[0]},
      {bind<strided_map>(p.right[0], {p.k, p.n, p.loops, p.batch}, true, true), p.right_conjugated[0]},
      out,
      p.alpha,
      p.beta,
      s};
  launch_gemm<Sum, any_size, any_size, any_size, block_shape<0, generic_threads, Tile, Tile>>(a, name, stream);
  return true;
}

template <class In, class Out, class Sum>
void multiply(const problem<In, Out, Sum>& p, const any_members& from, const kernel_name& name, cudaStream_t stream) {
  using input = any_operand<Sum, const In>;
  using side = product_of<input, input>;
  using result = any_operand<Sum, Out>;
  // Larger tiles for larger products: fewer reads of shared memory.
  const bool large = p.m * p.n > 256;
  if (large ? multiply_chunks<4>(p, from, name, stream) : multiply_chunks<2>(p, from, name, stream)) return;
  const gemm_sizes s = sizes_for<Sum>(p.m, p.n, p.k, p.loops, p.batch, tile, tile, generic_threads,
                                      positions<side, side, result>::each, p.out.lanes);
  const gemm_arguments<Sum, side, side, result> a{
      bind_side<Sum>(p.left, from.left, p.left_conjugated, p.left_factors, {p.m, p.k, p.loops, p.batch},
                     s.row_tiles == 1),
      bind_side<Sum>(p.right, from.right, p.right_conjugated, p.right_factors, {p.k, p.n, p.loops, p.batch},
                     s.col_tiles == 1),
      bind_any<Sum>(p.out, from.out, {p.m, p.n, p.loops, p.batch}, false, false),
      p.alpha,
      p.beta,
      s};
  launch_gemm<Sum, tiled, tiled, tiled, block_shape<0, generic_threads, tile, tile>>(a, name, stream);
}

template <class In, class Out, class Sum>
void multiply_entries(const problem<In, Out, Sum>& p, const any_members& from, const kernel_name& name,
                      cudaStream_t stream) {
  const matrix_count n{p.m, 1, p.loops, p.batch};
  const auto left = bind_any<Sum>(p.left[0], from.left[0], n, false, p.left_conjugated[0]);
  const auto right = bind_any<Sum>(p.right[0], from.right[0], n, false, p.right_conjugated[0]);
  const auto out = bind_any<Sum>(p.out, from.out, n, false, false);
  launch_pointwise(
      pointwise_arguments<Sum, any_operand<Sum, const In>, any_operand<Sum, const In>, any_operand<Sum, Out>>{
          left, right, out, p.alpha, p.beta, p.m, p.loops, p.m * p.loops * p.batch, p.batch, p.out.lanes > 1},
      name, stream);
}

}  // namespace

void launch_generic_any(const any_problem& any, const any_members& from, const kernel_name& name, void* stream) {
  const auto launch = [&]<class Problem>(const Problem& p) {
    if constexpr (!tessera::detail::is_real_problem<Problem>) {
      const auto on = static_cast<cudaStream_t>(stream);
      if (p.form == canonical::pointwise)
        multiply_entries(p, from, name, on);
      else
        multiply(p, from, name, on);
    }
  };
  std::visit(launch, any);
}

}  // namespace tessera::device
