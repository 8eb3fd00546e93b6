// SPDX-License-Identifier: BSD-3-Clause
// x.y of each element of an application, summed while its x and y are in cache.
#pragma once

#include <cstddef>
#include <span>

#include <tessera/cpu/detail/element/rows.hpp>

#include "block_loop.hpp"

namespace tessera::detail {

/// Element e's is at to[numbers[e]], so that sums over elements have one order, whatever order elements are in.
template <class T>
struct element_dots {
  const element_kernels<T>& kernels;
  std::span<const index_t> numbers;
  double* to;

  /// Adds those of `entries` entries of a block's elements.
  void add(const T* x, const T* y, index_t entries, double (&sums)[most_lanes]) const {
    kernels.add_dots(x, y, entries, sums);
  }
  void put(const lane_elements& which, const double (&sums)[most_lanes]) const {
    for (index_t w = 0; w < kernels.lanes; ++w)
      if (((which.active >> w) & 1u) != 0) to[numbers[std::size_t(which.element[w])]] = sums[w];
  }
};

}  // namespace tessera::detail
