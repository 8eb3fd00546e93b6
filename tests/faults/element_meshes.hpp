// SPDX-License-Identifier: BSD-3-Clause
// Boxes and simplices for element operators, enough of them for two threads.
#pragma once

#include "scenario.hpp"

namespace tessera::faults {

constexpr index_t elements_in(int dim) { return dim == 3 ? 21 : dim == 2 ? 85 : 403; }

constexpr index_t power(index_t base, int of) { return of == 0 ? 1 : base * power(base, of - 1); }

/// Corners of boxes with unequal edges, in the conventional layout.
template <class T>
std::vector<T> box_corners(int dim, index_t elements) {
  const index_t n = power(2, dim);
  std::vector<T> at(std::size_t(n * dim * elements));
  for (index_t e = 0; e < elements; ++e)
    for (index_t c = 0; c < dim; ++c)
      for (index_t i = 0; i < n; ++i)
        at[std::size_t(i + n * (c + dim * e))] = T(i >> c & 1) * (1 + T(e % 3)) * (1 + T(c));
  return at;
}

/// Corners 0, e1, e2, e3 of simplices of unequal sizes.
template <class T>
std::vector<T> simplex_corners(int dim, index_t elements) {
  const index_t n = dim + 1;
  std::vector<T> at(std::size_t(n * dim * elements));
  for (index_t e = 0; e < elements; ++e)
    for (index_t c = 0; c < dim; ++c) at[std::size_t(c + 1 + n * (c + dim * e))] = 1 + T(e % 3);
  return at;
}

}  // namespace tessera::faults
