// SPDX-License-Identifier: BSD-3-Clause
// What a kernel that applies an element operator is launched with: x, y and D, and the elements.
#pragma once

#include <tessera/element/layout.hpp>

namespace tessera::device {

/// Where the nodes lie that D is computed from.
template <class T>
struct node_arguments {
  const T* coordinates = nullptr;
  element_layout layout{};
  const T* coefficients = nullptr;  // at the points, where they are given there
};

/// XLayout, YLayout: those of the loader and of the storer, see e_vector.cuh.
template <class T, class XLayout = element_layout, class YLayout = element_layout>
struct element_arguments {
  const T* x = nullptr;
  T* y = nullptr;
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  XLayout x_layout{};
  YLayout y_layout{};
  const index_t* list = nullptr;   // the elements; null: first, first + 1, ...
  index_t first = 0, count = 0;    // that many elements
  index_t x_side = 0, y_side = 0;  // from one right hand side to the next
  int repeats = 1, sides = 1;      // times that the function applies to an element's components; right hand sides
  bool add = false;                // y +=
  double* dots = nullptr;          // x.y of each element, of kernels that sum them
  node_arguments<T> nodes{};       // instead of D
};

/// Of the kernel of dense tables: in device memory, as <tessera/gpu/detail/element/dense_layout.hpp> has them.
template <class T>
struct dense_tables {
  const T *trial, *test;
};

}  // namespace tessera::device
