// SPDX-License-Identifier: BSD-3-Clause
// A pointwise function between dense tables, as the dense element kernel takes it.
#pragma once

#include <tessera/cpu/detail/element/direct_function.hpp>
#include <tessera/detail/element/panel_table.hpp>

namespace tessera {

/// Tables function by function as plain numbers: of function i the values at k + q i, and the derivatives at
/// k + q (a + dim i).
template <class T>
struct plain_columns {
  const T* values = nullptr;
  const T* gradients = nullptr;
};

/// The tables of n points, one after the other: few enough that what is computed at them stays in L1. Row
/// k + n a of a table of gradients is the derivative in direction a at the k-th of them.
template <class T>
struct points_panels {
  index_t first = 0, count = 0;                // n
  panel_table<T> values, gradients;            // (n,d), (n dim,d): from u to the points
  panel_table<T> test_values, test_gradients;  // (t,n), (t,n dim): from the points to y
};

/// d trial functions, q points and t test functions of an element.
template <class T>
struct element_panels {
  const points_panels<T>* parts = nullptr;
  index_t part_count = 0;
  index_t most_points = 0;           // of a part
  plain_columns<T> trial{}, test{};  // for matrices and diagonals
  index_t d = 0, q = 0, t = 0;
};

template <class T>
struct dense_function {
  direct_function<T> function;
  element_panels<T> tables;

  /// Vectors of scratch memory that the kernel needs.
  constexpr index_t scratch() const {
    return (function.quantities(function.trial) + function.quantities(function.test) + function.factors) *
           tables.most_points;
  }
  /// Panels that it multiplies, at each of which it prefetches.
  constexpr index_t steps() const {
    const auto panels = [](const point_shape& s, const panel_table<T>& values, const panel_table<T>& gradients) {
      return s.components * ((s.value ? panels_of(values.m) : 0) + (s.gradient ? panels_of(gradients.m) : 0));
    };
    index_t all = 0;
    for (index_t p = 0; p < tables.part_count; ++p) {
      const points_panels<T>& part = tables.parts[p];
      all += panels(function.trial, part.values, part.gradients);
      all += panels(function.test, part.test_values, part.test_gradients);
    }
    return all;
  }
};

}  // namespace tessera
