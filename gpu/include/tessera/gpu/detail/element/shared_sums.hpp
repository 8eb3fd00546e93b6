// SPDX-License-Identifier: BSD-3-Clause
// The second kernel of an application between L-vectors: sums of terms, constrained numbers.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// See shared_sums in src/element/l_vector_lists.hpp. Lists have 32 bits, or 64.
template <class T, class Index>
struct sum_arguments {
  const T* x = nullptr;
  T* y = nullptr;
  const T* terms = nullptr;  // place p of component c at [p + component_terms c]
  index_t component_terms = 0, component = 0;
  int components = 1;
  const Index *first = nullptr, *numbers = nullptr, *of_terms = nullptr;  // of sums, a warp of them at a time
  const Index *untouched = nullptr, *constrained = nullptr;
  index_t warps = 0, untouched_count = 0, constrained_count = 0;
  bool add = false, identity = true;  // y +=; y has x at constrained numbers
};

/// Queues it: y at the sums' numbers, at untouched and at constrained ones.
template <class T, class Index>
void add_shared_terms(const sum_arguments<T, Index>& a, void* stream);
/// Queues y = 0 at the sums' numbers.
template <class T, class Index>
void clear_shared_numbers(const sum_arguments<T, Index>& a, void* stream);

}  // namespace tessera::device
