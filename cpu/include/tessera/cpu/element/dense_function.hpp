// SPDX-License-Identifier: BSD-3-Clause
// A pointwise function between dense tables, as the dense element kernel takes it.
#pragma once

#include <tessera/cpu/element/direct_function.hpp>
#include <tessera/element/panel_table.hpp>

namespace tessera {

/// Tables function by function as plain numbers: of function i the values at k + q i, and the derivatives at
/// k + q (a + dim i).
template <class T>
struct plain_columns {
  const T* values = nullptr;
  const T* gradients = nullptr;
};

/// d trial functions, q points and t test functions of an element. Row k + q a of a table of gradients is the
/// derivative in direction a at point k.
template <class T>
struct element_panels {
  panel_table<T> values, gradients;            // (q,d), (q dim,d): from u to the points
  panel_table<T> test_values, test_gradients;  // (t,q), (t,q dim): from the points to y
  plain_columns<T> trial, test;                // for matrices and diagonals
  index_t d = 0, q = 0, t = 0;
};

template <class T>
struct dense_function {
  direct_function<T> function;
  element_panels<T> tables;

  /// Vectors of scratch memory that the kernel needs.
  constexpr index_t scratch() const {
    return (function.quantities(function.trial) + function.quantities(function.test) + function.factors) * tables.q;
  }
  /// Panels that it multiplies, at each of which it reads ahead.
  constexpr index_t steps() const {
    const auto panels = [&](const point_shape& s, index_t values, index_t gradients) {
      return s.components * ((s.value ? panels_of(values) : 0) + (s.gradient ? panels_of(gradients) : 0));
    };
    return panels(function.trial, tables.q, tables.q * function.dim) + panels(function.test, tables.t, tables.t);
  }
};

}  // namespace tessera
