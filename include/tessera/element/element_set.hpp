// SPDX-License-Identifier: BSD-3-Clause
// Which elements an operation is for: a range, or a list of them.
#pragma once

#include <span>

#include <tessera/core/types.hpp>

namespace tessera {

/// Elements first, first + 1, ..., last - 1, or those of a list. A list must outlive the call that it is given to, and
/// names no element twice.
struct element_set {
  index_t first = 0, last = 0;
  std::span<const index_t> list{};
  bool listed = false;

  static element_set range(index_t first, index_t last) { return {.first = first, .last = last}; }
  static element_set of(std::span<const index_t> elements) { return {.list = elements, .listed = true}; }

  index_t size() const { return listed ? index_t(list.size()) : last - first; }
};

}  // namespace tessera
