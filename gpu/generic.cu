// SPDX-License-Identifier: BSD-3-Clause
// The rows that take every size and layout: strided operands, operands by table or of two factors, and pointwise
// products.
#include "rows.hpp"

#include <tessera/gpu/bind.cuh>
#include <tessera/gpu/launch.cuh>
#include <tessera/gpu/pointwise.cuh>

namespace tessera::device {

namespace {

constexpr int threads = 128;

template <class T>
bool is_single_factor_strided(const problem<T>& p) {
  return p.left_factors == 1 && p.right_factors == 1 && !p.left[0].map.table && !p.right[0].map.table &&
         !p.out.map.table;
}

template <class T, int Tile>
void run_strided(const problem<T>& p, const kernel_name& name, cudaStream_t stream) {
  using input = mapped<const T, strided_map>;
  using result = mapped<T, strided_map>;
  const gemm_sizes s = sizes_for<T>(p.m, p.n, p.k, p.loops, p.batch, Tile, Tile, threads,
                                    positions<input, input, result>::each, p.out.lanes);
  const bool whole = s.is_whole();
  // Lanes read consecutive rows: of a transposed left side those of a stride of 16 or 32 would be in one bank.
  const bool bulk = whole && p.k > 0, bulk_left = bulk && (p.left[0].map.row == 1 || p.left[0].map.row % 16 != 0);
  const gemm_arguments<T, input, input, result> a{
      bind<strided_map>(p.left[0], {p.m, p.k, p.loops, p.batch}, bulk_left, s.row_tiles == 1),
      bind<strided_map>(p.right[0], {p.k, p.n, p.loops, p.batch}, bulk, s.col_tiles == 1),
      bind<strided_map>(p.out, {p.m, p.n, p.loops, p.batch}, whole, false),
      p.alpha,
      p.beta,
      s};
  using shape = block_shape<0, threads, Tile, Tile>;
  if (whole)
    launch_gemm<T, any_size, any_size, any_size, shape>(a, name, stream);
  else
    launch_gemm<T, tiled, tiled, tiled, shape>(a, name, stream);
}

template <class T>
using any_factor = mapped<const T, run_time_map>;
template <class T>
using any_side = product_of<any_factor<T>, any_factor<T>>;

template <class T>
any_side<T> bind_side(const factor<const T> (&factors)[2], int count, const matrix_count& n, bool one_tile) {
  any_side<T> side{bind<run_time_map>(factors[0], n, false, one_tile), {}, walk_of(factors[0]), false};
  side.shared = side.first.shared;
  if (count == 2) {
    side.second = bind<run_time_map>(factors[1], n, false, one_tile);
    side.shared = side.shared && side.second.shared;
  }
  return side;
}

template <class T>
void run_any(const problem<T>& p, const kernel_name& name, cudaStream_t stream) {
  using result = mapped<T, run_time_map>;
  constexpr int tile = 2;
  const gemm_sizes s = sizes_for<T>(p.m, p.n, p.k, p.loops, p.batch, tile, tile, threads,
                                    positions<any_side<T>, any_side<T>, result>::each, p.out.lanes);
  const gemm_arguments<T, any_side<T>, any_side<T>, result> a{
      bind_side(p.left, p.left_factors, {p.m, p.k, p.loops, p.batch}, s.row_tiles == 1),
      bind_side(p.right, p.right_factors, {p.k, p.n, p.loops, p.batch}, s.col_tiles == 1),
      bind<run_time_map>(p.out, {p.m, p.n, p.loops, p.batch}, false, false),
      p.alpha,
      p.beta,
      s};
  launch_gemm<T, tiled, tiled, tiled, block_shape<0, threads, tile, tile>>(a, name, stream);
}

}  // namespace

template <class T>
void launch_generic(const problem<T>& p, const kernel_name& name, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  // A tile wider than the product wastes threads; many small tiles waste loads from shared memory.
  const index_t results = (p.m < 32 ? p.m : 32) * (p.n < 32 ? p.n : 32);
  if (!is_single_factor_strided(p))
    run_any(p, name, on);
  else if (results <= 9)
    run_strided<T, 1>(p, name, on);
  else if (results <= 256)
    run_strided<T, 2>(p, name, on);
  else
    run_strided<T, 4>(p, name, on);
}

template <class T>
void launch_pointwise(const problem<T>& p, const kernel_name& name, void* stream) {
  const matrix_count n{p.m, 1, p.loops, p.batch};
  using input = mapped<const T, run_time_map>;
  using result = mapped<T, run_time_map>;
  pointwise_arguments<T, input, input, result> a{bind<run_time_map>(p.left[0], n, true, false),
                                                 bind<run_time_map>(p.right[0], n, true, false),
                                                 bind<run_time_map>(p.out, n, true, false),
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

template void launch_generic(const problem<float>&, const kernel_name&, void*);
template void launch_generic(const problem<double>&, const kernel_name&, void*);
template void launch_pointwise(const problem<float>&, const kernel_name&, void*);
template void launch_pointwise(const problem<double>&, const kernel_name&, void*);

}  // namespace tessera::device
