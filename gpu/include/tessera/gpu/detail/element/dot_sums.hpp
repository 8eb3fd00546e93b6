// SPDX-License-Identifier: BSD-3-Clause
// x.y of an application between L-vectors, in a fixed order: the same bits in every run.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Element i's is dots[positions[i]], so that elements are in the caller's order. Constrained numbers, of which y has
/// x, add their squares.
template <class T, class Index>
struct dot_arguments {
  const double* dots = nullptr;
  const Index* positions = nullptr;
  index_t elements = 0;
  const T* x = nullptr;
  const Index* constrained = nullptr;
  index_t constrained_count = 0;
};

struct dot_result {
  double* sum;
  double* partial;
  unsigned* blocks_done;  // 0 before and after
};

/// Numbers of `partial` that are enough for both.
index_t dot_partials(index_t size, index_t elements, index_t constrained);
/// Queues *to.sum = the sum.
template <class T, class Index>
void sum_dots(const dot_arguments<T, Index>& a, const dot_result& to, void* stream);
/// Queues *to.sum = x.y of n numbers.
template <class T>
void sum_products(index_t n, const T* x, const T* y, const dot_result& to, void* stream);

}  // namespace tessera::device
