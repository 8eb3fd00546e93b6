// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a warp by tensor cores in double and in TF32: fragments from shared memory, products, sums.
#pragma once

#include <tessera/gpu/detail/general/instructions.cuh>
#include <tessera/gpu/detail/general/work.cuh>

namespace tessera::device {

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
