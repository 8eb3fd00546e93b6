// SPDX-License-Identifier: BSD-3-Clause
// What the gemm kernel asks of an operand: where its products lie in device memory, and how they are put into shared
// memory.
#pragma once

#include <tessera/core/address.hpp>

namespace tessera::device {

/// A tile of one operand in device memory: where its product starts, its first entry, and how much of it exists.
template <class Operand>
struct window {
  typename Operand::anchor_type at;
  index_t row, col;
  int rows, cols;
};

/// The index that neighbouring lanes step through when an operand is gathered or scattered: the one of stride 1.
enum class walk : int { rows, cols, products };

/// Tile of an operand in shared memory: entry (r, c) of product g is at g * copy + r * row + c * col.
struct slot {
  int row = 1, col = 1, copy = 0;
  int entries = 0;  // of all products of the block
};

constexpr int odd(int n) { return n | 1; }

/// Where entry (0, 0) of one product lies: everything of an address that does not depend on row and column.
template <class Map>
struct anchor {
  index_t at, loop;
};
template <index_t... S>
struct anchor<static_map<S...>> {
  index_t at;
};

/// A run_time_map that has no table.
struct strided_map : run_time_map {};
template <>
struct anchor<strided_map> {
  index_t at;
};

template <class Map>
constexpr anchor<Map> anchor_at(const Map&, index_t start, index_t l) {
  return {start, l};
}
template <index_t... S>
constexpr anchor<static_map<S...>> anchor_at(const static_map<S...>& map, index_t start, index_t l) {
  return {start + map.loop(l)};
}
constexpr anchor<strided_map> anchor_at(const strided_map& map, index_t start, index_t l) {
  return {start + map.loop(l)};
}
constexpr anchor<run_time_map> anchor_at(const run_time_map& map, index_t start, index_t l) {
  return {map.table ? start : start + map.loop(l), l};
}

template <class Map>
constexpr index_t offset_from(const Map& map, const anchor<Map>& a, index_t r, index_t c) {
  return a.at + map.offset(r, c, a.loop);
}
template <index_t... S>
constexpr index_t offset_from(const static_map<S...>& map, const anchor<static_map<S...>>& a, index_t r, index_t c) {
  return a.at + r * map.row_stride() + c * map.col_stride();
}
constexpr index_t offset_from(const strided_map& map, const anchor<strided_map>& a, index_t r, index_t c) {
  return a.at + r * map.row + c * map.col;
}
constexpr index_t offset_from(const run_time_map& map, const anchor<run_time_map>& a, index_t r, index_t c) {
  return a.at + (map.table ? map.table[(a.loop * map.cols + c) * map.rows + r] : r * map.row + c * map.col);
}

/// An operand addressed through a functor. `packed` says that the products lie one behind the other without gaps, in
/// the kernel's order of products, so that a block's share is one chunk; `shared` that all products use the same tile.
template <class T, class Map>
struct mapped {
  using value_type = T;
  using anchor_type = anchor<Map>;

  T* data;
  index_t batch_stride, lanes;
  Map map;
  walk order;
  bool shared, packed;

  constexpr T* base() const { return data; }
  constexpr anchor_type start(index_t b, index_t l) const {
    return anchor_at(map, batch_start(b, batch_stride, lanes), l);
  }
  constexpr T* address(const anchor_type& a, index_t r, index_t c) const { return data + offset_from(map, a, r, c); }
  constexpr auto load(const anchor_type& a, index_t r, index_t c) const { return *address(a, r, c); }

  // Odd distances: a gather then writes to different banks, whichever index its lanes step through.
  constexpr slot place(int rows, int cols, int group) const {
    if (packed) return {int(map.row_stride()), int(map.col_stride()), rows * cols, group * rows * cols};
    const int tile = odd(odd(rows) * cols);
    return {1, odd(rows), shared ? 0 : tile, shared ? tile : group * tile};
  }
};

/// A side of kernel (9): the pointwise product of two operands. The second may be absent (null data).
template <class First, class Second>
struct product_of {
  using value_type = typename First::value_type;
  struct anchor_type {
    typename First::anchor_type first;
    typename Second::anchor_type second;
  };
  static constexpr bool packed = false;

  First first;
  Second second;
  walk order;
  bool shared;

  constexpr auto base() const { return first.base(); }
  constexpr anchor_type start(index_t b, index_t l) const { return {first.start(b, l), second.start(b, l)}; }
  constexpr auto load(const anchor_type& a, index_t r, index_t c) const {
    const auto value = first.load(a.first, r, c);
    return second.data ? value * second.load(a.second, r, c) : value;
  }
  constexpr slot place(int rows, int cols, int group) const {
    const int tile = odd(odd(rows) * cols);
    return {1, odd(rows), shared ? 0 : tile, shared ? tile : group * tile};
  }
};

}  // namespace tessera::device
