// SPDX-License-Identifier: BSD-3-Clause
// D of all elements of an operator, from memory or from the geometry.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <tessera/core/types.hpp>
#include <tessera/space.hpp>

#include "layout_check.hpp"

namespace tessera::detail {

/// Memory of the caller that D is computed from; none if it has no entries.
struct caller_memory {
  const char* what = "";
  const void* at = nullptr;
  vector_entries entries;
};

/// Each backend has its own derived classes. It receives only D that it created itself, and therefore may downcast.
template <class T>
struct point_source {
  virtual ~point_source() = default;
  virtual void set(index_t first, index_t count, const T* values) = 0;
  virtual void get(index_t first, index_t count, T* values) const = 0;
  virtual space_kind space() const = 0;
  virtual bool is_stored() const { return true; }
  virtual std::array<caller_memory, 2> reads() const { return {}; }
  virtual index_t elements() const = 0;
  virtual index_t lanes() const = 0;          // elements that share a block of D
  virtual index_t block_entries() const = 0;  // entries of D of one element
  virtual std::size_t bytes() const = 0;
  virtual std::string describe() const = 0;
};

}  // namespace tessera::detail
