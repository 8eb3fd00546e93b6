// SPDX-License-Identifier: BSD-3-Clause
// Sizes of a general contraction that the compiler knows: digits of rows, columns and the sum, the box that a block
// works on, where boxes lie in memory and in shared memory.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

template <index_t... Value>
struct numbers {
  static constexpr int count = sizeof...(Value);
  __host__ __device__ static constexpr index_t at(int i) {
    constexpr index_t all[] = {Value..., 0};
    return all[i];
  }
};

/// Digits and their boxes, in the order in which a tile counts them.
template <class Extents, class Boxes>
struct boxed {
  static constexpr int count = Extents::count;
  __host__ __device__ static constexpr index_t extent(int i) { return Extents::at(i); }
  __host__ __device__ static constexpr int box(int i) { return int(Boxes::at(i)); }
  __host__ __device__ static constexpr int boxes(int i) { return int((extent(i) + box(i) - 1) / box(i)); }
  /// The last box is not full.
  __host__ __device__ static constexpr bool has_edge(int i) { return extent(i) % box(i) != 0; }
  __host__ __device__ static constexpr bool has_edges() {
    for (int i = 0; i < count; ++i)
      if (has_edge(i)) return true;
    return false;
  }
  __host__ __device__ static constexpr int size() {
    int product = 1;
    for (int i = 0; i < count; ++i) product *= box(i);
    return product;
  }
  __host__ __device__ static constexpr int all_boxes() {
    int product = 1;
    for (int i = 0; i < count; ++i) product *= boxes(i);
    return product;
  }
};

/// Where the tile of an operand lies. Strides in memory and in shared memory, of its lines (rows or columns) and of
/// the sum's digits; `Order`: digits by their distance in memory, nearest first, those of the sum counted after those
/// of lines. `run` entries are moved at once, by copies of `bytes` bytes. In shared memory `side` lines, or entries of
/// the sum, lie side by side at multiples of that number; 1 if not.
template <class Entry, class LineStrides, class InnerStrides, class Order, class SharedLines, class SharedInner,
          int entries, int run, int bytes, int side_of_lines, int side_of_inner>
struct staged {
  using entry = Entry;
  static constexpr int size = entries;  // of a tile in shared memory
  static constexpr int at_once = run, bytes_of_copy = bytes;
  static constexpr int lines_side_by_side = side_of_lines, inner_side_by_side = side_of_inner;
  static constexpr unsigned size_in_bytes = unsigned(entries * int(sizeof(Entry)) + 15) / 16 * 16;
  __host__ __device__ static constexpr index_t of_line(int i) { return LineStrides::at(i); }
  __host__ __device__ static constexpr index_t of_inner(int i) { return InnerStrides::at(i); }
  __host__ __device__ static constexpr int order(int i) { return int(Order::at(i)); }
  __host__ __device__ static constexpr int shared_line(int i) { return int(SharedLines::at(i)); }
  __host__ __device__ static constexpr int shared_inner(int i) { return int(SharedInner::at(i)); }
};

/// Entry `number` of a box: the sum of its coordinates times stride(i). Beyond the box it starts again.
template <class Boxed, class Stride>
__device__ constexpr index_t place_in(int number, const Stride& stride) {
  index_t place = 0;
#pragma unroll
  for (int i = 0; i < Boxed::count; ++i) {
    place += index_t(number % Boxed::box(i)) * stride(i);
    number /= Boxed::box(i);
  }
  return place;
}

/// For places and numbers that may be beyond 32 bits.
template <bool wide>
struct place_of_width {
  using type = int;
};
template <>
struct place_of_width<true> {
  using type = index_t;
};
template <bool wide>
using place = typename place_of_width<wide>::type;

/// Of fast x slow boxes, the fast side first, that of block `number` where a panel is so many boxes of the slow side:
/// blocks that run together then read few boxes of both operands.
template <int panel>
__host__ __device__ constexpr index_t place_in_panels(index_t number, index_t fast, index_t slow) {
  const index_t first = number / (fast * panel) * panel, rest = number % (fast * panel),
                height = slow - first < panel ? slow - first : panel;
  return rest / height + (first + rest % height) * fast;
}

/// Byte of line `number` of a tile in shared memory.
template <class Lines, class Staged>
__device__ constexpr unsigned line_at(int number) {
  return unsigned(place_in<Lines>(number, [](int d) { return index_t(Staged::shared_line(d)); })) *
         unsigned(sizeof(typename Staged::entry));
}

/// Byte of entry `whole` + `more` of the sum's box, `whole` being a multiple of `block`, `more` less than that. If a
/// block is within the first digit the compiler knows its distances.
template <class Inner, class Staged, int block>
__device__ constexpr unsigned inner_at(int whole, int more) {
  constexpr auto stride = [](int d) { return index_t(Staged::shared_inner(d)); };
  constexpr unsigned bytes = sizeof(typename Staged::entry);
  if constexpr (Inner::count > 0 && Inner::box(0) % block == 0)
    return (unsigned(place_in<Inner>(whole, stride)) + unsigned(more * stride(0))) * bytes;
  else
    return unsigned(place_in<Inner>(whole + more, stride)) * bytes;
}

/// Whether entry `number` of the sum's box that begins at `first` is inside of the tensors.
template <class Inner, class First>
__device__ bool is_in_sum(int number, const First& first) {
  bool inside = true;
#pragma unroll
  for (int d = 0; d < Inner::count; ++d) {
    if (Inner::has_edge(d)) inside = inside && first[d] + number % Inner::box(d) < Inner::extent(d);
    number /= Inner::box(d);
  }
  return inside;
}

}  // namespace tessera::device
