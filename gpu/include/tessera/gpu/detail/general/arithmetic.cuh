// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a warp by tensor cores in double and in TF32: fragments from shared memory, products, sums.
#pragma once

#include <tessera/gpu/detail/general/work.cuh>

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
/// The same of numbers in TF32, as bits.
template <int depth>
__device__ void multiply_tile(float (&c)[4], const unsigned (&a)[depth / 2], const unsigned (&b)[depth / 4]) {
  static_assert(depth == 4 || depth == 8);
  if constexpr (depth == 4)
    asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline unsigned tf32_bits(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}
__device__ inline float number_of(unsigned bits) { return __uint_as_float(bits); }

/// Every arithmetic has: the steps of a box of the sum; fragments, what a thread reads for one; the rows and columns of
/// the tile of which it has sums, `cols_together` of which lie side by side.
template <class Work>
class numbers_by_mma {
 public:
  using sum_type = typename Work::types::sum;
  static constexpr int M = Work::tiles_down, N = Work::tiles_across, depth = Work::depth, words = depth / 4;
  static constexpr int steps = Work::inner::size() / depth;
  static constexpr int row_count = 2 * M, col_count = 2 * N, cols_together = 2;
  struct fragments {
    sum_type a[M][2 * words], b[N][words];
  };

  __device__ explicit numbers_by_mma(const char* shared) : shared_(shared) {
#pragma unroll
    for (int i = 0; i < row_count; ++i) row_at_[i] = line_at<typename Work::rows, left>(row(i));
#pragma unroll
    for (int j = 0; j < N; ++j)
      col_at_[j] =
          line_at<typename Work::cols, right>(Work::first_col() + 8 * j + Work::lane() / 4) + left::size_in_bytes;
    clear();
  }
  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < M; ++i)
#pragma unroll
      for (int j = 0; j < N; ++j)
#pragma unroll
        for (int x = 0; x < 4; ++x) sums_[i][j][x] = 0;
  }

  __device__ static int row(int i, int thread = int(threadIdx.x)) {
    return Work::first_row(thread) + 8 * i + Work::lane(thread) / 4;
  }
  __device__ static int col(int j, int thread = int(threadIdx.x)) {
    return Work::first_col(thread) + j / 2 * 8 + 2 * (Work::lane(thread) % 4) + j % 2;
  }
  __device__ sum_type& sum(int i, int j) { return sums_[i / 2][j / 2][i % 2 * 2 + j % 2]; }

  template <class Box>
  __device__ __forceinline__ void read(unsigned stage, int first, int step, const Box& box, fragments& to) const {
    const int more = Work::lane() % 4;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const int whole = (first + step) * depth + 4 * w;
      const unsigned at_left = stage + inner_at<inner, left, 4>(whole, more),
                     at_right = stage + inner_at<inner, right, 4>(whole, more);
      const bool inside = !Work::checks_sum || is_in_sum<inner>(whole + more, box.first);
#pragma unroll
      for (int i = 0; i < M; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const sum_type x = Work::left_of(entry_at<typename left::entry>(at_left + row_at_[2 * i + half]));
          to.a[i][2 * w + half] = inside ? x : 0;
        }
#pragma unroll
      for (int j = 0; j < N; ++j) {
        const sum_type x = Work::right_of(entry_at<typename right::entry>(at_right + col_at_[j]));
        to.b[j][w] = inside ? x : 0;
      }
    }
  }

  __device__ __forceinline__ void multiply(const fragments& of) {
    if constexpr (Work::by == way::f64) {
#pragma unroll
      for (int i = 0; i < M; ++i)
#pragma unroll
        for (int j = 0; j < N; ++j) multiply_tile<depth>(sums_[i][j], of.a[i], of.b[j]);
    } else {
      multiply_in_tf32(of);
    }
  }

 private:
  using inner = typename Work::inner;
  using left = typename Work::left;
  using right = typename Work::right;

  // A load that the compiler may move, but not beyond a barrier.
  template <class Entry>
  __device__ Entry entry_at(unsigned at) const {
    return *reinterpret_cast<const Entry*>(shared_ + at);
  }

  // Once, or as three products: of the leading digits, and of those with what they leave of the other number.
  __device__ __forceinline__ void multiply_in_tf32(const fragments& of) {
    constexpr bool thrice = Work::by == way::three_tf32;
    unsigned b[N][words], rest_of_b[thrice ? N : 1][words];
#pragma unroll
    for (int j = 0; j < N; ++j)
#pragma unroll
      for (int w = 0; w < words; ++w) {
        b[j][w] = tf32_bits(of.b[j][w]);
        if constexpr (thrice) rest_of_b[j][w] = tf32_bits(of.b[j][w] - number_of(b[j][w]));
      }
#pragma unroll
    for (int i = 0; i < M; ++i) {
      unsigned a[2 * words], rest_of_a[2 * words];
#pragma unroll
      for (int x = 0; x < 2 * words; ++x) {
        a[x] = tf32_bits(of.a[i][x]);
        if constexpr (thrice) rest_of_a[x] = tf32_bits(of.a[i][x] - number_of(a[x]));
      }
#pragma unroll
      for (int j = 0; j < N; ++j) {
        if constexpr (thrice) {
          multiply_tile<depth>(sums_[i][j], rest_of_a, b[j]);
          multiply_tile<depth>(sums_[i][j], a, rest_of_b[j]);
        }
        multiply_tile<depth>(sums_[i][j], a, b[j]);
      }
    }
  }

  const char* shared_;
  unsigned row_at_[row_count], col_at_[N];
  sum_type sums_[M][N][4];
};

}  // namespace tessera::device
