// SPDX-License-Identifier: BSD-3-Clause
// The second kernel of an application between L-vectors: sums of what patches share, constrained numbers.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Numbers with as many terms, see shared_sums in src/element/patch_steps.hpp.
struct sum_group {
  index_t count = 0, first = 0, last = 0, term = 0;
};

/// Offsets in lists have 32 bits, or 64.
template <class T, class Index>
struct sum_arguments {
  static constexpr int most_groups = 32;

  const T* x = nullptr;
  T* y = nullptr;
  const T* terms = nullptr;  // place p of component c at [p + places c]
  index_t places = 0, component = 0;
  int components = 1;
  const Index *numbers = nullptr, *of_terms = nullptr;  // groups' numbers, and the places of their terms
  const Index *untouched = nullptr, *constrained = nullptr;
  index_t untouched_count = 0, constrained_count = 0;
  sum_group groups[most_groups];
  int group_count = 0;
  bool add = false, identity = true;  // y +=; y has x at constrained numbers
};

/// Queues it: y at the groups' numbers, at untouched and at constrained ones.
template <class T, class Index>
void add_shared_terms(const sum_arguments<T, Index>& a, void* stream);
/// Queues y = 0 at the groups' numbers.
template <class T, class Index>
void clear_shared_numbers(const sum_arguments<T, Index>& a, void* stream);

}  // namespace tessera::device
