// SPDX-License-Identifier: BSD-3-Clause
// What element kernels are called with: as many elements as a vector has lanes, entry by entry side by side.
#pragma once

#include <tessera/cpu/detail/element/prefetch.hpp>
#include <tessera/detail/element/evaluation_tables.hpp>

namespace tessera {

/// One call of a fused element kernel. Entry i of lane w is at [w + lanes i]; everything is aligned to a vector. y may
/// be at the address of x, except for kernels of direct_function and dense_function.
template <class T>
struct element_block {
  const T* x = nullptr;  // (d,..,d, components)
  const T* D = nullptr;  // factor f of point k is entry f + factors k
  T* y = nullptr;        // (t,..,t, components), overwritten
  T* scratch = nullptr;
  const evaluation_tables<T>* tables = nullptr;
  const void* function = nullptr;  // the pointwise function
  prefetcher* prefetch = nullptr;  // steps on with each call; may be null
};

inline constexpr int most_lanes = 16;

/// Where the lanes' elements are outside: entry i of lane w at start[w][step i]. Lanes without an element of their own
/// repeat another's when read.
template <class T>
struct lane_starts {
  T* start[most_lanes];
  index_t step = 1;
  bool adjacent = false;  // start[w] = start[0] + w: the entries of all lanes are side by side in memory
  unsigned active = 0;    // bit w: lane w has an element of its own

  constexpr bool is_active(int w) const { return ((active >> w) & 1u) != 0; }
};

}  // namespace tessera
