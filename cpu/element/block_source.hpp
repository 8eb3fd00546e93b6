// SPDX-License-Identifier: BSD-3-Clause
// Where a block of elements gets its D from: memory, or the geometry.
#pragma once

#include <tessera/cpu/element/lane_starts.hpp>

#include "src/element/point_source.hpp"

namespace tessera::detail {

/// The elements that share a vector.
struct lane_elements {
  // Of the lanes that there are; left alone otherwise: g++ would clear it by `rep stos`, which waits for the
  // non-temporal stores of the block before (Zen 5, mass, p = 1: 100 of 190 ns a block).
  index_t element[most_lanes];
  unsigned active = 0;  // bit w: lane w has an element of its own; the others repeat one
  index_t block = -1;   // where lane w is element w + lanes block, or would be were there one: that block
};

/// Block `block` of elements, of which those in [first, last) are active and at least one is.
inline lane_elements lanes_of_block(index_t block, index_t lanes, index_t first, index_t last) {
  lane_elements result;
  result.block = block;
  const index_t e0 = block * lanes, some = e0 > first ? e0 : first;
  for (index_t w = 0; w < lanes; ++w) {
    const bool active = e0 + w >= first && e0 + w < last;
    if (active) result.active |= 1u << w;
    result.element[w] = active ? e0 + w : some;
  }
  return result;
}

/// What CPU kernels take D from.
template <class T>
struct block_source : point_source<T> {
  /// D of the lanes, entry i of lane w at [w + lanes i], perhaps in `scratch`.
  virtual const T* block(const lane_elements& lanes, T* scratch) const = 0;
  /// Entries of scratch memory that block() needs.
  virtual index_t scratch() const = 0;
  /// The memory that block() will read for block b and its bytes; none where it is not one piece.
  virtual const char* memory_of(index_t b) const = 0;
  virtual index_t memory_bytes() const = 0;
  space_kind space() const override { return space_kind::cpu; }
};

}  // namespace tessera::detail
