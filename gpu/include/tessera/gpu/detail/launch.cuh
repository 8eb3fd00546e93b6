// SPDX-License-Identifier: BSD-3-Clause
// The launch of the gemm kernel: sizes of tiles and groups, shared memory.
#pragma once

#include <tessera/gpu/detail/gemm.cuh>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

/// Tiles and groups for sizes that are known at run time. Small products are taken whole; others in tiles of at most
/// 32. `lanes`: the number of interleaved products; a group then covers whole blocks of them if possible.
template <class T>
gemm_sizes sizes_for(index_t m, index_t n, index_t k, index_t loops, index_t batch, int tile_rows, int tile_cols,
                     int threads, int position_bytes, index_t lanes) {
  constexpr index_t largest = 32, whole_bytes = 24 * 1024, block_bytes = 32 * 1024, passes = 4;
  const auto up = [](index_t a, index_t b) { return (a + b - 1) / b; };
  const auto balanced = [&](index_t size) { return size == 0 ? 1 : up(size, up(size, largest)); };
  const auto bytes_of = [](index_t r, index_t c, index_t d) {
    return (r * odd(int(d)) + d * odd(int(c)) + r * odd(int(c))) * index_t(sizeof(T));
  };
  gemm_sizes s;
  s.m = m;
  s.n = n;
  s.k = k;
  s.loops = loops;
  constexpr index_t limit = whole_bytes / index_t(sizeof(T));  // of one side, so that the products below stay small
  const bool whole = m <= limit && n <= limit && k <= limit && bytes_of(m, n, k) <= whole_bytes;
  const index_t rows = whole ? m : balanced(m), cols = whole ? n : balanced(n);
  const index_t inner = whole ? (k > 0 ? k : 1) : balanced(k);
  s.row_tiles = up(m, rows);
  s.col_tiles = up(n, cols);
  s.products = batch * loops * s.row_tiles * s.col_tiles;
  const index_t down = up(rows, tile_rows), threads_each = down * up(cols, tile_cols);
  index_t group = k > inner ? threads / threads_each : passes * threads / threads_each;
  const index_t by_bytes = block_bytes / (bytes_of(rows, cols, inner) + position_bytes);
  group = group < by_bytes ? group : by_bytes;
  const index_t grain = lanes > 8 ? 32 : 8;  // parts are aligned to 32 bytes, lanes of a warp read adjacent entries
  group = group >= grain ? group / grain * grain : group >= 8 ? group / 8 * 8 : group >= 4 ? 4 : group;
  s.rows = divisor(int(rows));
  s.cols = divisor(int(cols));
  s.inner = divisor(int(inner));
  s.group = divisor(group < 1 ? 1 : int(group));
  s.thread_rows = divisor(int(down));
  s.threads = divisor(int(threads_each));
  return s;
}

/// Operands of a kernel whose products are tiles: several row (column) tiles need different parts of a shared matrix.
template <class Operand>
Operand limited_sharing(Operand o, bool one_tile) {
  o.shared = o.shared && one_tile;
  return o;
}

/// Queues the kernel. Sizes of the product are M x N x K, or those in the arguments where M is any_size or tiled.
template <class T, int M, int N, int K, class Tuning, class Left, class Right, class Out>
void launch_gemm(const gemm_arguments<T, Left, Right, Out>& a, const kernel_name& name, cudaStream_t stream) {
  constexpr bool known = M > 0;
  const auto kernel = &gemm<T, M, N, K, Tuning, Left, Right, Out>;
  const int group = known ? Tuning::matrices : int(a.sizes.group.by);
  const int rows = known ? M : int(a.sizes.rows.by), cols = known ? N : int(a.sizes.cols.by);
  const int inner = known ? K : int(a.sizes.inner.by);
  const shared_plan plan = plan_shared(positions<Left, Right, Out>::bytes(group), a.out.place(rows, cols, group),
                                       a.left.place(rows, inner, group), a.right.place(inner, cols, group), rows,
                                       Tuning::tile_rows, cols, Tuning::tile_cols, bytes_staged<T, Left, Right, Out>());
  const int tiles = group * int(a.sizes.threads.by);
  const int threads = known || tiles >= Tuning::threads ? Tuning::threads : (tiles + 31) / 32 * 32;
  void* arguments[] = {const_cast<gemm_arguments<T, Left, Right, Out>*>(&a)};
  queue(name, reinterpret_cast<const void*>(kernel), shape_for(a.sizes.products, group, threads, plan.bytes), arguments,
        stream);
}

}  // namespace tessera::device
