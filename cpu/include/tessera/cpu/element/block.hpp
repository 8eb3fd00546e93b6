// SPDX-License-Identifier: BSD-3-Clause
// One call of a fused element kernel: as many elements as a vector has lanes, entry by entry side by side.
#pragma once

#include <tessera/cpu/element/prefetch.hpp>
#include <tessera/element/evaluation_tables.hpp>

namespace tessera {

/// Entry i of lane w stands at [w + lanes i]; everything is aligned to a vector. y may be where x is, but for kernels
/// of direct_function and dense_function.
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

}  // namespace tessera
