// SPDX-License-Identifier: BSD-3-Clause
// The lists of a restriction, checked.
#pragma once

#include <cstdint>
#include <vector>

#include <tessera/element/restriction.hpp>

#include "device_restriction.hpp"

namespace tessera::detail {

struct restriction_state {
  index_t elements = 0, entries = 0, size = 0, stride = 0;
  int components = 1;
  bool signs = false;
  std::vector<std::int32_t> narrow;  // offset of entry i of element e at i + n e; -1 - k: the opposite sign
  std::vector<std::int64_t> wide;    // instead, where 32 bits are too few
  std::vector<index_t> constrained;  // ascending, each once
  lazy_device_restriction there;

  bool is_wide() const { return narrow.empty(); }
  /// Of entry i of element e, j = i + n e.
  index_t number(index_t j) const {
    const index_t k = signed_number(j);
    return k < 0 ? -1 - k : k;
  }
  index_t signed_number(index_t j) const {
    return is_wide() ? index_t(wide[std::size_t(j)]) : index_t(narrow[std::size_t(j)]);
  }
  bool is_negative(index_t j) const { return signed_number(j) < 0; }
};

}  // namespace tessera::detail
