// SPDX-License-Identifier: BSD-3-Clause
// The gemm kernel for operands of any layout and any size. A block takes a group of products, stages both sides in
// shared memory, and each thread computes a register tile of one product's result, which is stored through shared
// memory. Packed products of static sizes have a kernel of their own: packed.cuh.
#pragma once

#include <tessera/gpu/detail/block_shape.cuh>
#include <tessera/gpu/detail/chunk.cuh>
#include <tessera/gpu/detail/staging.cuh>

namespace tessera::device {

/// Sizes of a launch that are not in the kernel's type. A "product" is one matrix product of a batch entry and a loop
/// step, or, if that does not fit, one tile of its result.
struct gemm_sizes {
  index_t m = 0, n = 0, k = 0, loops = 1;
  index_t products = 0;                  // in all: batch entries x loop steps x tiles
  index_t row_tiles = 1, col_tiles = 1;  // tiles of a result
  divisor rows, cols, inner;             // of a tile in shared memory
  divisor group;                         // products per block
  divisor thread_rows, threads;          // threads along a column of a tile, threads per product

  /// True if one tile and one chunk of k are the whole product.
  constexpr bool is_whole() const { return row_tiles == 1 && col_tiles == 1 && (k == 0 || index_t(inner.by) >= k); }
};

template <class T, class Left, class Right, class Out>
struct gemm_arguments {
  Left left;    // (m,k)
  Right right;  // (k,n)
  Out out;      // (m,n)
  T alpha, beta;
  gemm_sizes sizes;
};

/// Which tile of C a product computes.
struct tile_index {
  int row, col;
};

/// The addresses of the operands of a block's products: an array for each operand, so that lanes of different products
/// read adjacent words.
template <class Left, class Right, class Out>
struct positions {
  typename Left::anchor_type* left;
  typename Right::anchor_type* right;
  typename Out::anchor_type* out;
  tile_index* tile;

  /// Bytes of shared memory for a product, and for `group` of them.
  static constexpr int each = int(sizeof(*left) + sizeof(*right) + sizeof(*out) + sizeof(*tile));
  static constexpr int bytes(int group) { return group * each + 24; }
  __device__ positions(unsigned char* memory, int group) {
    const auto next = [&]<class Entry>(Entry*& first) {
      first = reinterpret_cast<Entry*>(memory);
      memory += (group * int(sizeof(Entry)) + 7) / 8 * 8;
    };
    next(left);
    next(right);
    next(out);
    next(tile);
  }
};

struct staged_bytes {
  int out, left, right;
};
template <class T, class Left, class Right, class Out>
constexpr staged_bytes bytes_staged() {
  return {int(sizeof(typename staged<Out, T>::entry)), int(sizeof(typename staged<Left, T>::entry)),
          int(sizeof(typename staged<Right, T>::entry))};
}

/// The block's shared memory, in bytes from its start: barrier, positions, then the tiles C, A, B. Threads of partial
/// tiles read beyond A and B (the values are discarded), hence the slack; C comes first, so that no thread reads what
/// another one writes.
struct shared_plan {
  int positions, out, left, right, bytes;
};

/// `entry_bytes`: of an entry of each in shared memory.
constexpr shared_plan plan_shared(int position_bytes, const slot& out, const slot& left, const slot& right, int rows,
                                  int tile_rows, int cols, int tile_cols, const staged_bytes& entry) {
  const auto up = [](int bytes) { return (bytes + 15) / 16 * 16; };
  const auto region = [&](const slot& s, int bytes) { return up(s.entries * bytes) + 16; };
  shared_plan p{};
  p.positions = 16;
  p.out = up(p.positions + position_bytes);
  p.left = p.out + region(out, entry.out);
  p.right = p.left + region(left, entry.left);
  const auto ragged = [](int size, int tile) { return (size + tile - 1) / tile * tile - size; };
  const int slack = ragged(rows, tile_rows) * left.row * entry.left + ragged(cols, tile_cols) * right.col * entry.right;
  p.bytes = p.right + region(right, entry.right) + up(slack);
  return p;
}

/// acc(j,i) += sum_k left(i * step_rows, k) right(k, j * step_cols): rows and columns of adjacent threads are
/// interleaved, so that lanes read consecutive rows.
template <int Unroll, int TileRows, int TileCols, class T, class Left, class Right>
__device__ void multiply(T (&acc)[TileCols][TileRows], const Left& a, const typename staged<Left, T>::entry* left,
                         int row_step, int left_k, const Right& b, const typename staged<Right, T>::entry* right,
                         int right_k, int col_step, int k) {
#pragma unroll Unroll
  for (int kk = 0; kk < k; ++kk) {
    T x[TileRows], y[TileCols];
#pragma unroll
    for (int i = 0; i < TileRows; ++i) x[i] = staged<Left, T>::summand(a, left[i * row_step + kk * left_k]);
#pragma unroll
    for (int j = 0; j < TileCols; ++j) y[j] = staged<Right, T>::summand(b, right[kk * right_k + j * col_step]);
#pragma unroll
    for (int j = 0; j < TileCols; ++j)
#pragma unroll
      for (int i = 0; i < TileRows; ++i) add_product(acc[j][i], x[i], y[j]);
  }
}

__device__ inline int clipped(index_t left_over, int size) { return left_over < size ? int(left_over) : size; }

/// Splits the products of a block into batch entry, loop step and tile, and computes the addresses of their operands.
template <bool Whole, class T, class Left, class Right, class Out>
__device__ void find_positions(const gemm_arguments<T, Left, Right, Out>& a, index_t first, int count,
                               const positions<Left, Right, Out>& at) {
  const index_t tiles = Whole ? 1 : a.sizes.row_tiles * a.sizes.col_tiles;
  for (int g = threadIdx.x; g < count; g += blockDim.x) {
    index_t product = first + g, tile = 0;
    if (tiles > 1) {
      product = (first + g) / tiles;
      tile = (first + g) - product * tiles;
    }
    const index_t b = a.sizes.loops == 1 ? product : product / a.sizes.loops, l = product - b * a.sizes.loops;
    const index_t col_tile = a.sizes.row_tiles == 1 ? tile : tile / a.sizes.row_tiles;
    at.left[g] = a.left.start(b, l);
    at.right[g] = a.right.start(b, l);
    at.out[g] = a.out.start(b, l);
    at.tile[g] = {int(tile - col_tile * a.sizes.row_tiles), int(col_tile)};
  }
}

/// M, N, K of a kernel: sizes at compile time; or all three `any_size` (from `sizes`, the whole product being one
/// tile), or `tiled`.
inline constexpr int any_size = 0, tiled = -1;

/// The minimum of resident blocks per multiprocessor: it leaves 128 registers per thread, fewer if sizes are not static
/// and tiles are small, since those kernels are bound by memory latency.
constexpr int blocks_of(int threads, int m, int tile) {
  const int all = m > 0 || tile > 4 ? 512 : m == tiled ? 768 : 1024;
  return threads >= all ? 1 : all / threads;
}

template <class T, int M, int N, int K, class Tuning, class Left, class Right, class Out>
__global__ void __launch_bounds__(Tuning::threads, blocks_of(Tuning::threads, M, Tuning::tile_rows* Tuning::tile_cols))
    gemm(const __grid_constant__ gemm_arguments<T, Left, Right, Out> a) {
  constexpr bool known = M > 0, whole = M != tiled;
  constexpr int tile_rows = Tuning::tile_rows, tile_cols = Tuning::tile_cols;
  constexpr int static_thread_rows = (M + tile_rows - 1) / tile_rows,
                static_thread_cols = (N + tile_cols - 1) / tile_cols;
  using starts = positions<Left, Right, Out>;
  using left_entry = typename staged<Left, T>::entry;
  using right_entry = typename staged<Right, T>::entry;
  using out_entry = typename staged<Out, T>::entry;
  extern __shared__ __align__(16) unsigned char memory[];

  const divisor by_rows = known ? divisor(M) : a.sizes.rows, by_cols = known ? divisor(N) : a.sizes.cols;
  const divisor by_inner = known ? divisor(K) : a.sizes.inner;
  const divisor by_group = known ? divisor(Tuning::matrices) : a.sizes.group;
  const divisor by_thread_rows = known ? divisor(static_thread_rows) : a.sizes.thread_rows;
  const divisor by_threads = known ? divisor(static_thread_rows * static_thread_cols) : a.sizes.threads;
  const int rows = int(by_rows.by), cols = int(by_cols.by), inner = int(by_inner.by), group = int(by_group.by);
  const index_t k_total = known ? index_t(K) : a.sizes.k;

  const index_t first = (index_t(blockIdx.y) * gridDim.x + blockIdx.x) * group;
  if (first >= a.sizes.products) return;
  const int count = a.sizes.products - first < group ? int(a.sizes.products - first) : group;

  const slot in_out = a.out.place(rows, cols, group), in_left = a.left.place(rows, inner, group),
             in_right = a.right.place(inner, cols, group);
  const shared_plan plan = plan_shared(starts::bytes(group), in_out, in_left, in_right, rows, tile_rows, cols,
                                       tile_cols, bytes_staged<T, Left, Right, Out>());
  const starts at(memory + plan.positions, group);
  const arrival arrived{reinterpret_cast<unsigned long long*>(memory)};

  // Packed operands: the block's whole part as one chunk, copied while the other addresses are computed.
  const auto out_part = a.out.base() + first * rows * cols;
  const auto left_part = a.left.base() + first * rows * inner;
  const auto right_part = a.right.base() + first * inner * cols;
  const chunk<out_entry> out_chunk(out_part, count * rows * cols);
  const chunk<left_entry> left_chunk(left_part, count * rows * inner);
  const chunk<right_entry> right_chunk(right_part, count * inner * cols);
  const auto tiles_at = [&]<class Entry>(int place, bool packed, const chunk<Entry>& part) {
    return reinterpret_cast<Entry*>(memory + place) + (packed ? part.phase : 0);
  };
  out_entry* const out = tiles_at(plan.out, a.out.packed, out_chunk);            // (m,n,g)
  left_entry* const left = tiles_at(plan.left, a.left.packed, left_chunk);       // (m,k,g)
  right_entry* const right = tiles_at(plan.right, a.right.packed, right_chunk);  // (k,n,g)
  const bool old_staged = a.out.packed && a.beta != T(0);
  const bool any_bulk = (a.left.packed || a.right.packed || old_staged);
  if (any_bulk && threadIdx.x == 0) {
    arrived.init();
    arrived.expect((a.left.packed ? left_chunk.body_bytes() : 0) + (a.right.packed ? right_chunk.body_bytes() : 0) +
                   (old_staged ? out_chunk.body_bytes() : 0));
  }
  if (a.left.packed) load_chunk(left, left_part, left_chunk, arrived);
  if (a.right.packed) load_chunk(right, right_part, right_chunk, arrived);
  if (old_staged) load_chunk<out_entry>(out, out_part, out_chunk, arrived);

  const auto needed = [&](const auto& operand) { return operand.packed ? 0 : operand.shared ? 1 : count; };
  find_positions<whole>(a, first, max(needed(a.left), max(needed(a.right), needed(a.out))), at);
  __syncthreads();
  const auto row_of = [&](int g) { return whole ? 0 : index_t(at.tile[g].row) * rows; };
  const auto col_of = [&](int g) { return whole ? 0 : index_t(at.tile[g].col) * cols; };
  const auto rows_in = [&](index_t row) { return whole ? rows : clipped(a.sizes.m - row, rows); };
  const auto cols_in = [&](index_t col) { return whole ? cols : clipped(a.sizes.n - col, cols); };
  const auto stage = [&](index_t k0, int depth) {
    if (!a.left.packed)
      gather(left, in_left, a.left, {by_rows, by_inner, by_group}, a.left.shared ? 1 : count, [&](int g) {
        const index_t row = row_of(g);
        return window<Left>{at.left[g], row, k0, rows_in(row), depth};
      });
    if (!a.right.packed)
      gather(right, in_right, a.right, {by_inner, by_cols, by_group}, a.right.shared ? 1 : count, [&](int g) {
        const index_t col = col_of(g);
        return window<Right>{at.right[g], k0, col, depth, cols_in(col)};
      });
  };
  const bool one_chunk = whole || k_total <= inner;
  const auto stage_next = [&](index_t k0) {
    __syncthreads();
    stage(k0, clipped(k_total - k0, inner));
    __syncthreads();
  };
  stage(0, known ? inner : clipped(k_total, inner));
  __syncthreads();
  if (any_bulk) arrived.wait();

  const unsigned tiles = by_group.by * by_threads.by;
  for (unsigned first_tile = 0; first_tile < tiles; first_tile += blockDim.x) {
    const unsigned t = first_tile + threadIdx.x, g = by_threads.quotient(t), in_product = t - g * by_threads.by;
    const unsigned tj = by_thread_rows.quotient(in_product), ti = in_product - tj * by_thread_rows.by;
    const int row_step = int(by_thread_rows.by), col_step = int(by_threads.by / by_thread_rows.by);
    const bool active = int(g) < count;
    T acc[tile_cols][tile_rows] = {};
    if (!one_chunk && first_tile > 0) stage_next(0);
    for (index_t k0 = 0;;) {
      if (active)
        multiply<unroll_of(K)>(acc, a.left, left + g * in_left.copy + ti * in_left.row, row_step * in_left.row,
                               in_left.col, a.right, right + g * in_right.copy + tj * in_right.col, in_right.row,
                               col_step * in_right.col, known ? inner : clipped(k_total - k0, inner));
      if (one_chunk) break;
      k0 += inner;
      if (k0 >= k_total) break;
      stage_next(k0);
    }
    if (!active) continue;
#pragma unroll
    for (int j = 0; j < tile_cols; ++j)
#pragma unroll
      for (int i = 0; i < tile_rows; ++i) {
        const int r = int(ti) + i * row_step, c = int(tj) + j * col_step;
        if (r >= rows || c >= cols) continue;
        const int at = g * in_out.copy + r * in_out.row + c * in_out.col;
        const T sum = a.alpha * acc[j][i];
        out[at] = converted<out_entry>(old_staged ? sum + a.beta * converted<T>(out[at]) : sum);
      }
  }

  if (a.out.packed) before_store();
  __syncthreads();
  if (a.out.packed) store_chunk<out_entry>(out_part, out, out_chunk);
  if (!a.out.packed)
    scatter(out, in_out, a.out, {by_rows, by_cols, by_group}, count, a.beta, [&](int g) {
      const index_t row = row_of(g), col = col_of(g);
      return window<Out>{at.out[g], row, col, rows_in(row), cols_in(col)};
    });
}

}  // namespace tessera::device
