// SPDX-License-Identifier: BSD-3-Clause
// The rows that take every size and layout, for all types but float and double: one gemm kernel and one pointwise
// kernel a product of types, whose operands are groups, batches or shared tensors in any mixture.
#include "rows.hpp"

#include <tessera/gpu/bind.cuh>
#include <tessera/gpu/converting.cuh>
#include <tessera/gpu/launch.cuh>
#include <tessera/gpu/pointwise.cuh>

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

template <class In, class Out, class Sum>
void multiply(const problem<In, Out, Sum>& p, const any_members& from, const kernel_name& name, cudaStream_t stream) {
  using input = any_operand<Sum, const In>;
  using side = product_of<input, input>;
  using result = any_operand<Sum, Out>;
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
