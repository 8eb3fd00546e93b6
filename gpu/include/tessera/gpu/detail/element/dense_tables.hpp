// SPDX-License-Identifier: BSD-3-Clause
// Dense tables in the order in which the GPU's kernel reads them.
#pragma once

#include <cstddef>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/element/at_point.hpp>
#include <tessera/element/dense_basis.hpp>
#include <tessera/gpu/detail/element/dense_layout.hpp>

namespace tessera::device {

/// put(function, slot, point, value) of every entry that a function of that shape takes: the value's slot, if there is
/// one, then those of the derivatives.
template <class Put>
void each_entry(const dense_basis& basis, const point_shape& shape, int points, int dim, const Put& put) {
  const index_t q = points, n = basis.functions;
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < q; ++k) {
      int slot = 0;
      if (shape.value) put(int(i), slot++, int(k), basis.values[std::size_t(k + q * i)]);
      for (int a = 0; a < dim && shape.gradient; ++a)
        put(int(i), slot++, int(k), basis.gradients[std::size_t(k + q * (i + n * a))]);
    }
}

/// As dense_layout has it: of x's functions.
template <class T>
std::vector<T> trial_table_of(const dense_layout& layout, const dense_basis& basis, const point_shape& shape, int dim) {
  std::vector<T> table(std::size_t(layout.trial_entries()));
  each_entry(basis, shape, layout.of.points, dim,
             [&](int i, int s, int k, double value) { table[std::size_t(layout.trial_place(i, s, k))] = T(value); });
  return table;
}

/// Of y's.
template <class T>
std::vector<T> test_table_of(const dense_layout& layout, const dense_basis& basis, const point_shape& shape, int dim) {
  std::vector<T> table(std::size_t(layout.test_entries()));
  each_entry(basis, shape, layout.of.points, dim,
             [&](int i, int s, int k, double value) { table[std::size_t(layout.test_place(i, s, k))] = T(value); });
  return table;
}

}  // namespace tessera::device
