// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a warp by tensor cores for 16-bit numbers with sums in float.
#pragma once

#include <tessera/gpu/detail/general/instructions.cuh>
#include <tessera/gpu/detail/general/work.cuh>

namespace tessera::device {

/// One operand's words: of each of `count` groups of 8 lines that begin at line `first`.
template <class Work, class Lines, class Staged, int count>
class lines_of_halves {
 public:
  using entry = typename Staged::entry;
  using inner = typename Work::inner;

  __device__ lines_of_halves(const char* shared, int first, unsigned offset)
      : shared_(shared), base_(shared_address(shared)) {
#pragma unroll
    for (int i = 0; i < places; ++i) {
      const int group = by_squares ? i * squares + Work::lane() / 8 % squares : i;
      const int line = by_lines ? 0 : by_squares ? Work::lane() % 8 : Work::lane() / 4;
      at_[i] = line_at<Lines, Staged>(first + 8 * group + line) + offset;
    }
  }

  /// Of the 8 entries of the sum's box from `whole` on.
  template <class Box>
  __device__ __forceinline__ void read(unsigned stage, int whole, const Box& box, unsigned (&to)[count]) const {
    if constexpr (by_squares) {
      const unsigned at = base_ + stage + inner_at<inner, Staged, 8>(whole, by_lines ? Work::lane() % 8 : 0);
#pragma unroll
      for (int i = 0; i < places; ++i) {
        unsigned words[squares];
        read_squares<squares, by_lines>(at + at_[i], words);
#pragma unroll
        for (int s = 0; s < squares; ++s)
          if (i * squares + s < count) to[i * squares + s] = words[s];
      }
    } else {
      const int more = 2 * (Work::lane() % 4);
      const unsigned at = stage + inner_at<inner, Staged, 8>(whole, more);
#pragma unroll
      for (int i = 0; i < count; ++i) {
        if constexpr (Staged::inner_side_by_side >= 2) {
          to[i] = *reinterpret_cast<const unsigned*>(shared_ + at + at_[i]);
        } else {
          const unsigned next = stage + inner_at<inner, Staged, 8>(whole, more + 1);
          to[i] = half_at(at + at_[i]) | half_at(next + at_[i]) << 16;
        }
      }
    }
    if constexpr (Work::checks_sum) mask(whole, box, to);
  }

 private:
  // 8 numbers of a square lie side by side: lines, or entries of the sum.
  static constexpr bool by_lines = Staged::lines_side_by_side >= 8,
                        by_squares = by_lines || Staged::inner_side_by_side >= 8;
  static constexpr int squares = !by_squares ? 1 : count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1;
  static constexpr int places = count / squares;

  __device__ unsigned half_at(unsigned at) const { return *reinterpret_cast<const unsigned short*>(shared_ + at); }
  // Entries of the sum outside of the tensors are 0.
  template <class Box>
  __device__ __forceinline__ static void mask(int whole, const Box& box, unsigned (&to)[count]) {
    const int more = 2 * (Work::lane() % 4);
    const unsigned kept = (is_in_sum<inner>(whole + more, box.first) ? 0xffffu : 0u) |
                          (is_in_sum<inner>(whole + more + 1, box.first) ? 0xffff0000u : 0u);
#pragma unroll
    for (int i = 0; i < count; ++i) to[i] &= kept;
  }

  const char* shared_;
  unsigned base_, at_[places];
};

template <class Work>
class halves_by_mma {
 public:
  using sum_type = float;
  static constexpr int M = Work::tiles_down, N = Work::tiles_across, depth = Work::depth, words = depth / 8;
  static constexpr int steps = Work::inner::size() / depth;
  static constexpr int row_count = 2 * M, col_count = 2 * N, cols_together = 2;
  struct fragments {
    unsigned a[words][2 * M], b[words][N];
  };

  __device__ explicit halves_by_mma(const char* shared)
      : left_(shared, Work::first_row(), 0), right_(shared, Work::first_col(), Work::left::size_in_bytes) {
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
  __device__ float& sum(int i, int j) { return sums_[i / 2][j / 2][i % 2 * 2 + j % 2]; }

  template <class Box>
  __device__ __forceinline__ void read(unsigned stage, int first, int step, const Box& box, fragments& to) const {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const int whole = (first + step) * depth + 8 * w;
      left_.read(stage, whole, box, to.a[w]);
      right_.read(stage, whole, box, to.b[w]);
    }
  }
  __device__ __forceinline__ void multiply(const fragments& of) {
#pragma unroll
    for (int i = 0; i < M; ++i) {
      unsigned a[2 * words];
#pragma unroll
      for (int w = 0; w < words; ++w) a[2 * w] = of.a[w][2 * i], a[2 * w + 1] = of.a[w][2 * i + 1];
#pragma unroll
      for (int j = 0; j < N; ++j) {
        unsigned b[words];
#pragma unroll
        for (int w = 0; w < words; ++w) b[w] = of.b[w][j];
        multiply_halves<typename Work::left::entry, depth>(sums_[i][j], a, b);
      }
    }
  }

 private:
  static_assert(same_type<typename Work::left::entry, typename Work::right::entry>);
  lines_of_halves<Work, typename Work::rows, typename Work::left, 2 * M> left_;
  lines_of_halves<Work, typename Work::cols, typename Work::right, N> right_;
  float sums_[M][N][4];
};

}  // namespace tessera::device
