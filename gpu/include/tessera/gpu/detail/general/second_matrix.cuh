// SPDX-License-Identifier: BSD-3-Clause
// The sums of a tile times a small matrix, before they are written: a warp has all that an entry of the result needs,
// so that nothing leaves registers but to lanes of the same warp.
#pragma once

#include <tessera/gpu/detail/general/arguments.hpp>
#include <tessera/gpu/detail/general/arithmetic.cuh>

namespace tessera::device {

/// Entry (p, q) of the matrix lies at q pitch + p, behind the stages of the pipeline.
template <class Work>
class second_in_shared {
 public:
  using entry = typename Work::types::sum;
  using second = typename Work::second;
  static constexpr int extent = second::extent, pitch = second::template pitch<entry>;

  __device__ explicit second_in_shared(char* shared) : at_(reinterpret_cast<entry*>(shared + place)) {}

  /// By all threads, which have to wait for each other before they read it.
  __device__ void bring(const general_arguments& a) const {
    const auto* const from = static_cast<const entry*>(a.second);
    for (int i = int(threadIdx.x); i < extent * extent; i += Work::threads) {
      // Neighbours read side by side.
      constexpr bool rows_first = distance(second::of_row) < distance(second::of_col);
      const int p = rows_first ? i % extent : i / extent, q = rows_first ? i / extent : i % extent;
      at_[q * pitch + p] = from[p * second::of_row + q * second::of_col];
    }
  }
  __device__ const entry* at(int p, int q) const { return at_ + q * pitch + p; }

 private:
  static constexpr unsigned place = unsigned(Work::stages) * Work::stage;
  __host__ __device__ static constexpr index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }

  entry* at_;
};

/// By tensor cores in double. A lane has of 8 columns two neighbours, 2 (l % 4) and the next, of the rows that it also
/// has where a tile is the left side of a product: sums are read as such a tile whose columns come in another order,
/// and so do the matrix's.
template <class Work, class Math>
__device__ __forceinline__ void times_second_by_mma(Math& numbers, const second_in_shared<Work>& matrix) {
  constexpr int extent = Work::second::extent, tiles = extent / 8;
  static_assert(Work::by == way::f64 && extent % 8 == 0 && !Work::second::down && Work::across % extent == 0);
  const int p = Work::lane() / 4, q = 2 * (Work::lane() % 4);
#pragma unroll
  for (int i = 0; i < Work::tiles_down; ++i)
#pragma unroll
    for (int first = 0; first < Work::tiles_across; first += tiles) {
      double made[tiles][4];
#pragma unroll
      for (int to = 0; to < tiles; ++to)
#pragma unroll
        for (int x = 0; x < 4; ++x) made[to][x] = 0;
#pragma unroll
      for (int from = 0; from < tiles; ++from) {
        const int j = 2 * (first + from);
        const double sums[4] = {numbers.sum(2 * i, j), numbers.sum(2 * i + 1, j), numbers.sum(2 * i, j + 1),
                                numbers.sum(2 * i + 1, j + 1)};
#pragma unroll
        for (int to = 0; to < tiles; ++to) {
          const double entries[2] = {*matrix.at(8 * to + p, 8 * from + q), *matrix.at(8 * to + p, 8 * from + q + 1)};
          multiply_tile<8>(made[to], sums, entries);
        }
      }
#pragma unroll
      for (int to = 0; to < tiles; ++to)
#pragma unroll
        for (int x = 0; x < 4; ++x) numbers.sum(2 * i + x / 2, 2 * (first + to) + x % 2) = made[to][x];
    }
}

/// By multiply-adds: lanes get the sums of a line from the one that has them. Lines are the rows or the columns of a
/// warp, whichever the matrix multiplies; each lane has `count` of them, and of the others.
template <class Work, class Math>
class second_by_fma {
 public:
  using entry = typename Work::types::sum;

  __device__ static __forceinline__ void multiply(Math& numbers, const second_in_shared<Work>& matrix) {
#pragma unroll
    for (int other = 0; other < others; other += at_once) {
      entry made[count][at_once];
#pragma unroll
      for (int l = 0; l < count; ++l)
#pragma unroll
        for (int x = 0; x < at_once; ++x) made[l][x] = 0;
      if constexpr (fits)
        multiply_sets(numbers, matrix, other, made);
      else
        multiply_lines(numbers, matrix, other, made);
#pragma unroll
      for (int l = 0; l < count; ++l)
#pragma unroll
        for (int x = 0; x < at_once; ++x)
          if (other + x < others) sum(numbers, l, other + x) = made[l][x];
    }
  }

 private:
  static constexpr bool down = Work::second::down;
  static constexpr int extent = Work::second::extent, at_once = 4;
  static constexpr int count = down ? Math::row_count : Math::col_count,
                       others = down ? Math::col_count : Math::row_count,
                       lanes = down ? Work::unit_down : Work::unit_across;
  // Lines of a lane that lie side by side in one vector.
  static constexpr int together = down ? Math::rows_together : Math::cols_together;
  // A vector that begins in a warp and does not end there fills up the box.
  static constexpr int lines = count * lanes / extent * extent;
  static_assert((down ? Work::warps_down : Work::warps_across) == 1 || count * lanes == lines);
  static_assert(extent % together == 0, "side by side are entries of one vector");

  // Lines of all lanes that lie together, of which `count / together` come one after the other; where these have whole
  // vectors, or a vector has several of them, every lane finds its own vector's entries in the same places.
  static constexpr int of_group = lanes * together, groups = count / together;
  static constexpr bool fits = of_group % extent == 0 || extent % of_group == 0;
  static constexpr int groups_of_set = of_group < extent ? extent / of_group : 1;

  __device__ static entry& sum(Math& numbers, int line, int other) {
    return down ? numbers.sum(line, other) : numbers.sum(other, line);
  }
  __device__ static int own_lane() {
    return down ? Work::lane() / Work::unit_across : Work::lane() % Work::unit_across;
  }
  /// The lane with the same other lines that is number `there` of those with a line each.
  __device__ static int lane_at(int there) {
    return down ? there * Work::unit_across + Work::lane() % Work::unit_across
                : Work::lane() / Work::unit_across * Work::unit_across + there;
  }
  __device__ static void get(Math& numbers, int line, int other, int from, entry (&value)[at_once]) {
#pragma unroll
    for (int x = 0; x < at_once; ++x)
      if (other + x < others) value[x] = __shfl_sync(0xffffffffu, sum(numbers, line, other + x), from);
  }
  __device__ static void add(int group, int other, const entry (&entries)[together], const entry (&value)[at_once],
                             entry (&made)[count][at_once]) {
#pragma unroll
    for (int y = 0; y < together; ++y)
#pragma unroll
      for (int x = 0; x < at_once; ++x)
        if (other + x < others) made[group * together + y][x] += entries[y] * value[x];
  }

  // A set of groups is one vector, or vectors side by side: entry q is in a lane of one's own vector.
  __device__ static __forceinline__ void multiply_sets(Math& numbers, const second_in_shared<Work>& matrix, int other,
                                                       entry (&made)[count][at_once]) {
    constexpr int lanes_of_vector = extent / together < lanes ? extent / together : lanes;
    const int own = own_lane(), first_lane = own / lanes_of_vector * lanes_of_vector;
    const int p = own * together % extent;
#pragma unroll
    for (int set = 0; set + groups_of_set <= groups; set += groups_of_set)
#pragma unroll
      for (int q = 0; q < extent; ++q) {
        entry value[at_once];
        get(numbers, (set + q / of_group) * together + q % together, other,
            lane_at(first_lane + q % of_group / together), value);
#pragma unroll
        for (int g = 0; g < groups_of_set; ++g) {
          entry entries[together];
          read(matrix, p + g * of_group, q, entries);
          add(set + g, other, entries, value, made);
        }
      }
  }
  // Line by line, of which a lane needs those of its own vectors.
  __device__ static __forceinline__ void multiply_lines(Math& numbers, const second_in_shared<Work>& matrix, int other,
                                                        entry (&made)[count][at_once]) {
    const int own = own_lane();
    int p[groups], of[groups];
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      p[g] = (g * lanes + own) * together % extent;
      of[g] = (g * lanes + own) * together / extent;
    }
#pragma unroll
    for (int line = 0; line < lines; ++line) {
      // The line is entry q of vector `vector`; here are parts of some vectors.
      const int q = line % extent, vector = line / extent, chunk = line / together;
      entry value[at_once];
      get(numbers, chunk / lanes * together + line % together, other, lane_at(chunk % lanes), value);
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        if (!may_have(g, vector)) continue;
        entry entries[together];
        read(matrix, p[g], q, entries);
        if (of[g] == vector) add(g, other, entries, value, made);
      }
    }
  }

  // Whether any lane's lines of that group are in the vector.
  __host__ __device__ static constexpr bool may_have(int group, int vector) {
    const int first = group * lanes * together, last = first + lanes * together - 1;
    return first / extent <= vector && vector <= last / extent;
  }
  __device__ static void read(const second_in_shared<Work>& matrix, int p, int q, entry (&to)[together]) {
    const auto all = *reinterpret_cast<const side_by_side<entry, together>*>(matrix.at(p, q));
#pragma unroll
    for (int y = 0; y < together; ++y) to[y] = all.at[y];
  }
};

/// The sums of the block's tile times the matrix.
template <class Work, class Math>
__device__ __forceinline__ void times_second(Math& numbers, const second_in_shared<Work>& matrix) {
  if constexpr (Work::by == way::fma)
    second_by_fma<Work, Math>::multiply(numbers, matrix);
  else
    times_second_by_mma<Work>(numbers, matrix);
}

}  // namespace tessera::device
