// SPDX-License-Identifier: BSD-3-Clause
// The second kernel of a general contraction whose sums are in parts, which many blocks have written to a workspace:
// adds the parts up in a fixed order and writes the results.
#pragma once

#include <tessera/gpu/detail/general/arithmetic.cuh>
#include <tessera/gpu/detail/general/arithmetic_fma.cuh>
#include <tessera/gpu/detail/general/arithmetic_half.cuh>
#include <tessera/gpu/detail/general/result.cuh>

namespace tessera::device {

template <class Work, way By>
struct arithmetic_of {
  using type = numbers_by_mma<Work>;
};
template <class Work>
struct arithmetic_of<Work, way::halves> {
  using type = halves_by_mma<Work>;
};
template <class Work>
struct arithmetic_of<Work, way::fma> {
  using type = numbers_by_fma<Work>;
};

/// A block has one row of each thread's sums. A thread of a group stands for one that has sums in the first kernel;
/// groups have parts that follow each other, and their sums are added by pairs.
template <class Work>
class parts_program {
 public:
  static constexpr int groups = Work::part_groups, threads = groups * Work::owners;

  __device__ static void run(const general_arguments& a, char* shared) {
    const index_t number = a.first_block + index_t(blockIdx.x), tile = number / math::row_count;
    const int row = int(number % math::row_count), group = int(threadIdx.x) / Work::owners,
              owner = int(threadIdx.x) % Work::owners;
    const tile_place<Work> place(a, tile);
    const result result_of(a, place, owner);
    const auto* const parts = static_cast<const sum_type*>(a.parts) + tile * Work::parts * result::part;
    sum_type sums[math::col_count];
#pragma unroll
    for (int j = 0; j < math::col_count; ++j) {
      sums[j] = functions::template neutral<sum_type>();
      if (result_of.has(row, j)) add_parts(sums[j], parts + result_of.place_in_part(row, j), group);
      if constexpr (groups > 1) add_groups(sums[j], reinterpret_cast<sum_type*>(shared), group);
    }
    if (group == 0) result_of.store([&](int, int j) { return sums[j]; }, row, row + 1);
  }

 private:
  using math = typename arithmetic_of<Work, Work::by>::type;
  using result = result_of_tile<Work, math>;
  using functions = typename Work::types::functions;
  using sum_type = typename Work::types::sum;

  __device__ static void add_parts(sum_type& sum, const sum_type* from, int group) {
    const int end = Work::parts * (group + 1) / groups;
#pragma unroll 4
    for (int p = Work::parts * group / groups; p < end; ++p)
      sum = functions::add(sum, read_entry(from + index_t(p) * result::part));
  }
  // The first group gets the sum of all.
  __device__ static void add_groups(sum_type& sum, sum_type* shared, int group) {
    __syncthreads();  // the sums before have been read
    sum_type* const mine = shared + int(threadIdx.x);
    put_entry(mine, sum);
    for (int distance = 1; distance < groups; distance *= 2) {
      __syncthreads();
      if (group % (2 * distance) != 0 || group + distance >= groups) continue;
      sum = functions::add(sum, read_entry(mine + distance * Work::owners));
      put_entry(mine, sum);
    }
  }
};

}  // namespace tessera::device
