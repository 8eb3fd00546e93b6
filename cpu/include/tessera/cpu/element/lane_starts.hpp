// SPDX-License-Identifier: BSD-3-Clause
// Where the elements that share a vector lie in memory.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

inline constexpr int most_lanes = 16;

/// Entry i of lane w is at start[w][step i]. Lanes without an element of their own repeat another's when read.
template <class T>
struct lane_starts {
  T* start[most_lanes];
  index_t step = 1;
  bool adjacent = false;  // start[w] = start[0] + w: the entries of all lanes lie side by side in memory
  unsigned active = 0;    // bit w: lane w has an element of its own

  constexpr bool is_active(int w) const { return ((active >> w) & 1u) != 0; }
};

}  // namespace tessera
