// SPDX-License-Identifier: BSD-3-Clause
// A general contraction in double by tensor cores: a block computes a box of the output, boxes of the operands come
// through a pipeline in shared memory, in the layout that they have in memory.
#pragma once

#include <tessera/gpu/detail/general/arguments.hpp>
#include <tessera/gpu/detail/general/mover.cuh>
#include <tessera/gpu/detail/stream_order.cuh>

namespace tessera::device {

/// Products of 16 x `depth` by `depth` x 8: lane l has of the left side rows l / 4 and 8 more, of both sides entries
/// l % 4, 4 more, ... of the sum, of the right side column l / 4, and of the result, in rows l / 4 and 8 more, columns
/// 2 (l % 4) and the next.
template <int depth>
__device__ void multiply_tile(double (&c)[4], const double (&a)[depth / 2], const double (&b)[depth / 4]) {
  static_assert(depth == 4 || depth == 8);
  if constexpr (depth == 4)
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  else
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/// The work of a kernel. Rows are on the side of 16 of the instruction, whichever operand has them. Batch: digits that
/// all tensors have, a box of each being 1; strides in left, right and out. Order: digits of rows, then of columns, as
/// blocks count their boxes.
template <class Rows, class Cols, class Inner, class Left, class Right, class OutRows, class OutCols, class Order,
          class Batch, class LeftBatch, class RightBatch, class OutBatch, int warps_down_, int warps_across_,
          int depth_, int stages_, int splits_, bool reads_out_, int out_at_once_, int blocks_>
struct general_work {
  using rows = Rows;
  using cols = Cols;
  using inner = Inner;
  using left = Left;
  using right = Right;
  using out_rows = OutRows;
  using out_cols = OutCols;
  using order = Order;
  using batch = Batch;
  using left_batch = LeftBatch;
  using right_batch = RightBatch;
  using out_batch = OutBatch;
  static constexpr int warps_down = warps_down_, warps_across = warps_across_, depth = depth_, stages = stages_,
                       splits = splits_, out_at_once = out_at_once_, blocks = blocks_;
  static constexpr bool reads_out = reads_out_;
  static constexpr int threads = 32 * warps_down * warps_across;
  __host__ __device__ static constexpr int up(int box, int whole) { return (box + whole - 1) / whole * whole; }
  /// Of a warp.
  static constexpr int tiles_down = up(Rows::size(), 16 * warps_down) / (16 * warps_down),
                       tiles_across = up(Cols::size(), 8 * warps_across) / (8 * warps_across);
  static constexpr int down = 16 * tiles_down, across = 8 * tiles_across;
  static constexpr int steps = Inner::size() / depth, boxes = Inner::all_boxes();
  static constexpr int stage = Left::size + Right::size;
  static_assert(Inner::size() % depth == 0 && stages >= 2);
};

template <class Work>
class general_program {
 public:
  using rows = typename Work::rows;
  using cols = typename Work::cols;
  using inner = typename Work::inner;
  using left = typename Work::left;
  using right = typename Work::right;

  // Blocks: the splits of a tile, then tiles in the order of the output, then the batch.
  __device__ static void run(const general_arguments& a, double* shared) {
    index_t rest = a.first_block + index_t(blockIdx.x);
    const int split = int(rest % Work::splits);
    rest /= Work::splits;
    int first_row[rows::count + 1], first_col[cols::count + 1];
    index_t from_left = 0, from_right = 0, to = 0;
#pragma unroll
    for (int i = 0; i < rows::count + cols::count; ++i) {
      const int r = int(Work::order::at(i)), c = r - rows::count;
      if (r < rows::count) {
        first_row[r] = int(rest % rows::boxes(r)) * rows::box(r);
        rest /= rows::boxes(r);
        from_left += first_row[r] * left::of_line(r);
        to += first_row[r] * Work::out_rows::at(r);
      } else {
        first_col[c] = int(rest % cols::boxes(c)) * cols::box(c);
        rest /= cols::boxes(c);
        from_right += first_col[c] * right::of_line(c);
        to += first_col[c] * Work::out_cols::at(c);
      }
    }
#pragma unroll
    for (int d = 0; d < Work::batch::count; ++d) {
      const index_t at = rest % Work::batch::at(d);
      rest /= Work::batch::at(d);
      from_left += at * Work::left_batch::at(d);
      from_right += at * Work::right_batch::at(d);
      to += at * Work::out_batch::at(d);
    }
    general_program program(first_row, first_col, shared);
    program.sum(static_cast<const double*>(a.left) + from_left + rest * a.left_stride,
                static_cast<const double*>(a.right) + from_right + rest * a.right_stride, split);
    double* const out = static_cast<double*>(a.out) + to + rest * a.out_stride;
    if constexpr (Work::splits > 1)
      program.store_shared(a, out, first_row, first_col, split);
    else
      program.store(a, out, first_row, first_col, [&](int i, int j, double(&c)[4]) {
#pragma unroll
        for (int x = 0; x < 4; ++x) c[x] = program.sums_[i][j][x];
      });
  }

 private:
  static constexpr int M = Work::tiles_down, N = Work::tiles_across, depth = Work::depth, words = depth / 4;
  struct fragments {
    double a[M][2 * words], b[N][words];
  };

  template <class FirstRow, class FirstCol>
  __device__ general_program(const FirstRow& first_row, const FirstCol& first_col, double* shared)
      : rows_(first_row), cols_(first_col), shared_(shared), base_(unsigned(__cvta_generic_to_shared(shared))) {
#pragma unroll
    for (int i = 0; i < M; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        row_at_[i][half] =
            unsigned(place_in<rows>(row_of(i, half), [](int d) { return index_t(left::shared_line(d)); })) * 8;
#pragma unroll
    for (int j = 0; j < N; ++j)
      col_at_[j] = unsigned(place_in<cols>(warp_across() * Work::across + 8 * j + lane() / 4,
                                           [](int d) { return index_t(right::shared_line(d)); }) +
                            left::size) *
                   8;
#pragma unroll
    for (int i = 0; i < M; ++i)
#pragma unroll
      for (int j = 0; j < N; ++j)
#pragma unroll
        for (int x = 0; x < 4; ++x) sums_[i][j][x] = 0;
  }

  __device__ static int lane() { return int(threadIdx.x) % 32; }
  __device__ static int warp_down() { return int(threadIdx.x) / 32 % Work::warps_down; }
  __device__ static int warp_across() { return int(threadIdx.x) / 32 / Work::warps_down; }
  __device__ static int row_of(int i, int half) { return warp_down() * Work::down + 16 * i + 8 * half + lane() / 4; }
  __device__ static int col_of(int j) { return warp_across() * Work::across + 8 * j + 2 * (lane() % 4); }

  // Where entry 4 k + lane % 4 of the sum's box lies. Of four that share all digits but the first the compiler knows
  // the distance.
  template <class Stride>
  __device__ static unsigned inner_at(int k, const Stride& stride) {
    if constexpr (inner::count > 0 && inner::box(0) % 4 == 0)
      return unsigned(place_in<inner>(4 * k, stride) + index_t(lane() % 4) * stride(0)) * 8;
    else
      return unsigned(place_in<inner>(4 * k + lane() % 4, stride)) * 8;
  }

  __device__ void read(unsigned stage, int step, fragments& to) const {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const unsigned at_left = stage + inner_at(step * words + w, [](int d) { return index_t(left::shared_inner(d)); });
      const unsigned at_right =
          stage + inner_at(step * words + w, [](int d) { return index_t(right::shared_inner(d)); });
#pragma unroll
      for (int i = 0; i < M; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) to.a[i][2 * w + half] = shared_number(at_left + row_at_[i][half]);
#pragma unroll
      for (int j = 0; j < N; ++j) to.b[j][w] = shared_number(at_right + col_at_[j]);
    }
  }
  // A load that the compiler may move, but not beyond a barrier.
  __device__ double shared_number(unsigned at) const {
    return *reinterpret_cast<const double*>(reinterpret_cast<const char*>(shared_) + at);
  }

  __device__ void multiply(const fragments& of) {
#pragma unroll
    for (int i = 0; i < M; ++i)
#pragma unroll
      for (int j = 0; j < N; ++j) multiply_tile<depth>(sums_[i][j], of.a[i], of.b[j]);
  }

  __device__ __forceinline__ void sum(const double* from_left, const double* from_right, int split) {
    const int begin = int(index_t(Work::boxes) * split / Work::splits),
              end = int(index_t(Work::boxes) * (split + 1) / Work::splits);
    int next = begin, slot = 0;
    const auto move = [&] {
      if (next < end) {
        int first[inner::count + 1], rest = next;
        index_t at_left = 0, at_right = 0;
#pragma unroll
        for (int d = 0; d < inner::count; ++d) {
          first[d] = rest % inner::boxes(d) * inner::box(d);
          rest /= inner::boxes(d);
          at_left += first[d] * left::of_inner(d);
          at_right += first[d] * right::of_inner(d);
        }
        const unsigned to = base_ + unsigned(slot * Work::stage * 8);
        rows_.move(from_left + at_left, to, first);
        cols_.move(from_right + at_right, to + unsigned(left::size * 8), first);
        ++next;
        slot = slot + 1 == Work::stages ? 0 : slot + 1;
      }
      end_stage();
    };
#pragma unroll
    for (int s = 0; s < Work::stages - 1; ++s) move();
    wait_for_stages<Work::stages - 2>();
    __syncthreads();
    fragments even, odd;
    unsigned stage = 0;
    int reading = 0;
    read(stage, 0, even);
    // Multiplies the fragments of a step while those of the next one are read, in the next box after the last.
    const auto step = [&](const fragments& now, fragments& then, int s) {
      if (s == 0) move();
      if (s == Work::steps - 1) {
        wait_for_stages<Work::stages - 2>();
        __syncthreads();
        reading = reading + 1 == Work::stages ? 0 : reading + 1;
        stage = unsigned(reading * Work::stage * 8);
      }
      read(stage, s + 1 < Work::steps ? s + 1 : 0, then);
      multiply(now);
    };
    for (int box = begin; box < end; ++box) {
#pragma unroll
      for (int s = 0; s + 1 < Work::steps; s += 2) {
        step(even, odd, s);
        step(odd, even, s + 1);
      }
      if constexpr (Work::steps % 2 == 1) {
        step(even, odd, Work::steps - 1);
        if (++box >= end) break;
#pragma unroll
        for (int s = 0; s + 1 < Work::steps; s += 2) {
          step(odd, even, s);
          step(even, odd, s + 1);
        }
        step(odd, even, Work::steps - 1);
      }
    }
  }

  // sums(i, j, c) gives the entries of tile (i, j).
  template <class FirstRow, class FirstCol, class Sums>
  __device__ static void store(const general_arguments& a, double* out, const FirstRow& first_row,
                               const FirstCol& first_col, const Sums& sums, int from = 0, int to = M * N) {
#pragma unroll
    for (int i = 0; i < M; ++i) {
      index_t row_at[2];
      bool has_row[2];
#pragma unroll
      for (int half = 0; half < 2; ++half)
        row_at[half] = place_of<rows, typename Work::out_rows>(row_of(i, half), first_row, has_row[half]);
#pragma unroll
      for (int j = 0; j < N; ++j) {
        if (Work::splits > 1 && (i * N + j < from || i * N + j >= to)) continue;
        double c[4];
        sums(i, j, c);
        bool has_col[2];
        index_t col_at[2];
#pragma unroll
        for (int x = 0; x < 2; ++x)
          col_at[x] = place_of<cols, typename Work::out_cols>(col_of(j) + x, first_col, has_col[x]);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          if (!has_row[half]) continue;
          if constexpr (Work::out_at_once == 2) {
            if (!has_col[0]) continue;
            auto* const at = reinterpret_cast<double2*>(out + row_at[half] + col_at[0]);
            double2 now = make_double2(a.alpha.re * c[2 * half], a.alpha.re * c[2 * half + 1]);
            if constexpr (Work::reads_out) {
              const double2 old = *at;
              now.x += a.beta.re * old.x;
              now.y += a.beta.re * old.y;
            }
            *at = now;
          } else {
#pragma unroll
            for (int x = 0; x < 2; ++x) {
              if (!has_col[x]) continue;
              double* const at = out + row_at[half] + col_at[x];
              double now = a.alpha.re * c[2 * half + x];
              if constexpr (Work::reads_out) now += a.beta.re * *at;
              *at = now;
            }
          }
        }
      }
    }
  }
  // Entry `number` of a box in the output, and whether there is one.
  template <class Lines, class Strides, class First>
  __device__ static index_t place_of(int number, const First& first, bool& is_there) {
    index_t place = 0;
    is_there = true;
#pragma unroll
    for (int d = 0; d < Lines::count; ++d) {
      const int at = number % Lines::box(d);
      number /= Lines::box(d);
      place += at * Strides::at(d);
      if (Lines::has_edge(d)) is_there = is_there && first[d] + at < Lines::extent(d);
    }
    is_there = is_there && number == 0;
    return place;
  }

  // The blocks of a cluster have parts of the sums: each adds up a share of the tile in the order of the blocks.
  template <class FirstRow, class FirstCol>
  __device__ __forceinline__ void store_shared(const general_arguments& a, double* out, const FirstRow& first_row,
                                               const FirstCol& first_col, int split) {
    wait_for_stages<0>();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < M; ++i)
#pragma unroll
      for (int j = 0; j < N; ++j)
#pragma unroll
        for (int x = 0; x < 4; ++x) shared_[((i * N + j) * 4 + x) * Work::threads + int(threadIdx.x)] = sums_[i][j][x];
    cluster_barrier();
    store(
        a, out, first_row, first_col,
        [&](int i, int j, double(&c)[4]) {
#pragma unroll
          for (int x = 0; x < 4; ++x) c[x] = 0;
          for (int s = 0; s < Work::splits; ++s)
#pragma unroll
            for (int x = 0; x < 4; ++x)
              c[x] +=
                  number_of_block(base_ + unsigned(((i * N + j) * 4 + x) * Work::threads + int(threadIdx.x)) * 8, s);
        },
        M * N * split / Work::splits, M * N * (split + 1) / Work::splits);
    cluster_barrier();  // a block's memory stays until all have read
  }
  __device__ static void cluster_barrier() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
  __device__ static double number_of_block(unsigned at, int block) {
    unsigned there;
    double value;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(block));
    asm volatile("ld.shared::cluster.f64 %0, [%1];" : "=d"(value) : "r"(there) : "memory");
    return value;
  }

  mover<rows, inner, left, Work::threads> rows_;
  mover<cols, inner, right, Work::threads> cols_;
  double* shared_;
  unsigned base_;
  unsigned row_at_[M][2], col_at_[N];
  double sums_[M][N][4];
};

template <class Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks) contract_general(general_arguments a) {
  extern __shared__ __align__(128) double shared[];
  wait_for_earlier_kernels();
  general_program<Work>::run(a, shared);
}

/// Of blocks in clusters.
template <class Work>
__global__ void __launch_bounds__(Work::threads, Work::blocks) __cluster_dims__(Work::splits, 1, 1)
    contract_general_in_parts(general_arguments a) {
  extern __shared__ __align__(128) double shared[];
  wait_for_earlier_kernels();
  general_program<Work>::run(a, shared);
}

}  // namespace tessera::device
