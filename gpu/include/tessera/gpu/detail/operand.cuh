// SPDX-License-Identifier: BSD-3-Clause
// The operands of the gemm kernel: the addresses of their products in device memory, and their copies in shared memory.
#pragma once

#include <tessera/core/address.hpp>

namespace tessera::device {

/// A tile of one operand in device memory: the address of its product, its first entry, and its extents inside the
/// matrix.
template <class Operand>
struct window {
  typename Operand::anchor_type at;
  index_t row, col;
  int rows, cols;
};

/// The index of adjacent lanes when an operand is gathered or scattered: the one of stride 1.
enum class walk : int { rows, cols, products };

/// Tile of an operand in shared memory: entry (r, c) of product g is at g * copy + r * row + c * col.
struct slot {
  int row = 1, col = 1, copy = 0;
  int entries = 0;  // of all products of the block
};

constexpr int odd(int n) { return n | 1; }

/// The address of entry (0, 0) of one product: the part that does not depend on row and column. Origin is index_t, an
/// offset, or a pointer if products have no common base.
template <class Map, class Origin = index_t>
struct anchor {
  Origin at;
  index_t loop;
};
template <index_t... S, class Origin>
struct anchor<static_map<S...>, Origin> {
  Origin at;
};

/// A run_time_map without a table.
struct strided_map : run_time_map {};
template <class Origin>
struct anchor<strided_map, Origin> {
  Origin at;
};

template <class Map, class Origin>
constexpr anchor<Map, Origin> anchor_at(const Map&, Origin start, index_t l) {
  return {start, l};
}
template <index_t... S, class Origin>
constexpr anchor<static_map<S...>, Origin> anchor_at(const static_map<S...>& map, Origin start, index_t l) {
  return {start + map.loop(l)};
}
template <class Origin>
constexpr anchor<strided_map, Origin> anchor_at(const strided_map& map, Origin start, index_t l) {
  return {start + map.loop(l)};
}
template <class Origin>
constexpr anchor<run_time_map, Origin> anchor_at(const run_time_map& map, Origin start, index_t l) {
  return {map.table ? start : start + map.loop(l), l};
}

/// Entry (r, c) of the product: an offset or a pointer, as the anchor is.
template <class Map, class Origin>
constexpr Origin entry_from(const Map& map, const anchor<Map, Origin>& a, index_t r, index_t c) {
  return a.at + map.offset(r, c, a.loop);
}
template <index_t... S, class Origin>
constexpr Origin entry_from(const static_map<S...>& map, const anchor<static_map<S...>, Origin>& a, index_t r,
                            index_t c) {
  return a.at + (r * map.row_stride() + c * map.col_stride());
}
template <class Origin>
constexpr Origin entry_from(const strided_map& map, const anchor<strided_map, Origin>& a, index_t r, index_t c) {
  return a.at + (r * map.row + c * map.col);
}
template <class Origin>
constexpr Origin entry_from(const run_time_map& map, const anchor<run_time_map, Origin>& a, index_t r, index_t c) {
  return a.at + (map.table ? map.table[(a.loop * map.cols + c) * map.rows + r] : r * map.row + c * map.col);
}

// Odd distances: a gather then writes to different banks for either index of its lanes.
constexpr slot gathered_slot(int rows, int cols, int group, bool shared) {
  const int tile = odd(odd(rows) * cols);
  return {1, odd(rows), shared ? 0 : tile, shared ? tile : group * tile};
}

/// An operand addressed through a functor. `packed`: the products are consecutive without gaps, in the kernel's order
/// of products, so that a block's part is one chunk; `shared`: all products use the same tile.
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
  constexpr bool exists() const { return data != nullptr; }
  constexpr T* address(const anchor_type& a, index_t r, index_t c) const { return data + entry_from(map, a, r, c); }
  constexpr auto load(const anchor_type& a, index_t r, index_t c) const { return *address(a, r, c); }

  constexpr slot place(int rows, int cols, int group) const {
    if (packed) return {int(map.row_stride()), int(map.col_stride()), rows * cols, group * rows * cols};
    return gathered_slot(rows, cols, group, shared);
  }
};

/// An operand of a launch over groups: batch entry b starts at members[b]. Without members it is a batch or a shared
/// tensor, so that one kernel takes any mixture of groups and batches.
template <class T, class Map>
struct grouped {
  using value_type = T;
  using anchor_type = anchor<Map, T*>;
  static constexpr bool packed = false;

  T* const* members;
  T* data;
  index_t batch_stride, lanes;
  Map map;
  walk order;
  bool shared;

  constexpr T* base() const { return data; }
  constexpr anchor_type start(index_t b, index_t l) const {
    return anchor_at(map, members ? members[b] : data + batch_start(b, batch_stride, lanes), l);
  }
  constexpr bool exists() const { return members != nullptr || data != nullptr; }
  constexpr T* address(const anchor_type& a, index_t r, index_t c) const { return entry_from(map, a, r, c); }
  constexpr auto load(const anchor_type& a, index_t r, index_t c) const { return *address(a, r, c); }
  constexpr slot place(int rows, int cols, int group) const { return gathered_slot(rows, cols, group, shared); }
};

/// A side of kernel (9): the pointwise product of two operands. The second may be absent.
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
    return second.exists() ? value * second.load(a.second, r, c) : value;
  }
  constexpr slot place(int rows, int cols, int group) const { return gathered_slot(rows, cols, group, shared); }
};

}  // namespace tessera::device
