// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a warp by multiply-adds, of any type and any pair of operations.
#pragma once

#include <tessera/gpu/detail/general/work.cuh>

namespace tessera::device {

/// The number that a lane has whose own number differs by one bit, `distance`.
template <class T>
__device__ T of_other_lane(const T& x, int distance) {
  union words {
    T number;
    unsigned word[sizeof(T) / 4];
    __device__ words() {}
  } all;
  all.number = x;
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / 4); ++i) all.word[i] = __shfl_xor_sync(0xffffffffu, all.word[i], distance);
  return all.number;
}

/// A thread has sums of `row_count` by `col_count`; `unit_down` threads of a warp are below each other, `unit_across`
/// side by side. Entries that lie side by side in shared memory are read together: lane l has the rows after
/// (l / unit_across) times so many, then `unit_down` times so many further, and so on. Where lanes share the sum, each
/// has all rows and columns, and of the sum entry l, l + 32, ...
template <class Work>
class numbers_by_fma {
 public:
  using sum_type = typename Work::types::sum;
  static constexpr int row_count = Work::down / Work::unit_down, col_count = Work::across / Work::unit_across;

 private:
  using inner = typename Work::inner;
  using left = typename Work::left;
  using right = typename Work::right;
  using left_entry = typename left::entry;
  using right_entry = typename right::entry;
  using functions = typename Work::types::functions;
  // The last entries of a box are fewer than the lanes that share the sum.
  static constexpr bool lacks_lanes = Work::inner::size() % Work::sharers != 0;
  // At most 16 bytes, of lines that a thread has.
  __host__ __device__ static constexpr int together(int side_by_side, int bytes, int count) {
    int most = side_by_side;
    while (most > 1 && (most * bytes > 16 || count % most != 0)) most /= 2;
    return most;
  }

 public:
  static constexpr int rows_together = together(left::lines_side_by_side, sizeof(left_entry), row_count);
  static constexpr int cols_together = together(right::lines_side_by_side, sizeof(right_entry), col_count);
  /// A step is one entry of the sum, or one for each lane that shares it.
  static constexpr int steps = (Work::inner::size() + Work::sharers - 1) / Work::sharers;
  struct fragments {
    left_entry a[row_count];
    right_entry b[col_count];
    bool is_in_sum;
  };

  __device__ explicit numbers_by_fma(const char* shared) : shared_(shared) {
#pragma unroll
    for (int i = 0; i < row_count; i += rows_together)
      row_at_[i / rows_together] = line_at<typename Work::rows, left>(row(i));
#pragma unroll
    for (int j = 0; j < col_count; j += cols_together)
      col_at_[j / cols_together] = line_at<typename Work::cols, right>(col(j)) + left::size_in_bytes;
    clear();
  }
  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < row_count; ++i)
#pragma unroll
      for (int j = 0; j < col_count; ++j) sums_[i][j] = functions::template neutral<sum_type>();
  }

  __device__ static int row(int i, int thread = int(threadIdx.x)) {
    return Work::first_row(thread) +
           (i / rows_together * Work::unit_down + owner(thread) / Work::unit_across) * rows_together +
           i % rows_together;
  }
  __device__ static int col(int j, int thread = int(threadIdx.x)) {
    return Work::first_col(thread) +
           (j / cols_together * Work::unit_across + owner(thread) % Work::unit_across) * cols_together +
           j % cols_together;
  }
  __device__ sum_type& sum(int i, int j) { return sums_[i][j]; }

  template <class Box>
  __device__ __forceinline__ void read(unsigned stage, int first, int step, const Box& box, fragments& to) const {
    const int whole = Work::shares_sum ? (first + step) * Work::sharers : first + step / Work::depth * Work::depth,
              more = Work::shares_sum ? Work::lane() : step % Work::depth;
    to.is_in_sum = !lacks_lanes || whole + more < inner::size();
    if constexpr (Work::checks_sum) to.is_in_sum = to.is_in_sum && is_in_sum<inner>(whole + more, box.first);
    constexpr int block = Work::shares_sum ? Work::sharers : Work::depth;
    const unsigned at_left = stage + inner_at<inner, left, block>(whole, more),
                   at_right = stage + inner_at<inner, right, block>(whole, more);
#pragma unroll
    for (int i = 0; i < row_count; i += rows_together)
      read_together<rows_together>(at_left + row_at_[i / rows_together], to.a + i);
#pragma unroll
    for (int j = 0; j < col_count; j += cols_together)
      read_together<cols_together>(at_right + col_at_[j / cols_together], to.b + j);
  }

  __device__ __forceinline__ void multiply(const fragments& of) {
    if ((Work::checks_sum || lacks_lanes) && !of.is_in_sum) return;
    sum_type b[col_count];
#pragma unroll
    for (int j = 0; j < col_count; ++j) b[j] = Work::right_of(of.b[j]);
#pragma unroll
    for (int i = 0; i < row_count; ++i) {
      const sum_type a = Work::left_of(of.a[i]);
#pragma unroll
      for (int j = 0; j < col_count; ++j) accumulate<functions>(sums_[i][j], a, b[j]);
    }
  }

  /// The sums of all lanes that share them, in the order of the lanes: the first two, the next two, those of both, ...
  __device__ void add_up_lanes() {
#pragma unroll
    for (int distance = 1; distance < Work::sharers; distance *= 2) {
      const bool is_later = Work::lane() & distance;
#pragma unroll
      for (int i = 0; i < row_count; ++i)
#pragma unroll
        for (int j = 0; j < col_count; ++j) {
          const sum_type mine = sums_[i][j], other = of_other_lane(mine, distance);
          sums_[i][j] = is_later ? functions::add(other, mine) : functions::add(mine, other);
        }
    }
  }

 private:
  // Of a warp's rows and columns.
  __device__ static int owner(int thread) { return Work::shares_sum ? 0 : Work::lane(thread); }
  template <int count, class Entry>
  __device__ void read_together(unsigned at, Entry* to) const {
    if constexpr (count == 1) {
      *to = read_entry(reinterpret_cast<const Entry*>(shared_ + at));
    } else {
      const auto all = *reinterpret_cast<const side_by_side<Entry, count>*>(shared_ + at);
#pragma unroll
      for (int x = 0; x < count; ++x) to[x] = all.at[x];
    }
  }

  const char* shared_;
  unsigned row_at_[row_count / rows_together], col_at_[col_count / cols_together];
  sum_type sums_[row_count][col_count];
};

}  // namespace tessera::device
