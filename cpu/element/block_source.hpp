// SPDX-License-Identifier: BSD-3-Clause
// Where a block of elements gets its D from: memory, or the geometry.
#pragma once

#include "block_loop.hpp"
#include "src/element/point_source.hpp"

namespace tessera::detail {

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
