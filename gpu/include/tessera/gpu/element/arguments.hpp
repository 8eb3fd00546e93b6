// SPDX-License-Identifier: BSD-3-Clause
// What an element kernel is launched with: where x, y and D lie, and which elements are meant.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/layout.hpp>

namespace tessera::device {

/// Where the nodes lie that D is computed from.
template <class T>
struct node_arguments {
  const T* coordinates = nullptr;
  element_layout layout{};
  const T* coefficients = nullptr;  // at the points, where they are given there
};

template <class T>
struct element_arguments {
  const T* x = nullptr;
  T* y = nullptr;
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  element_layout x_layout{}, y_layout{};
  const index_t* list = nullptr;   // the elements; null: first, first + 1, ...
  index_t first = 0, count = 0;    // that many elements
  index_t x_side = 0, y_side = 0;  // from one right hand side to the next
  int repeats = 1, sides = 1;      // times that the function applies to an element's components; right hand sides
  bool add = false;
  node_arguments<T> nodes{};  // instead of D
};

/// Of the kernel of dense tables: in device memory, as <tessera/element/dense_room.hpp> has them.
template <class T>
struct dense_tables {
  const T *trial, *test;
};

/// The entries of one component of an element: entry i at start[entry i]. `Unit`: entry is 1.
template <class P, bool Unit>
struct entries_of {
  P* start;
  index_t entry;

  constexpr P& operator[](int i) const { return Unit ? start[i] : start[entry * i]; }
  /// Those from entry i on.
  constexpr entries_of behind(int i) const { return {&(*this)[i], entry}; }
};

template <bool Unit, class P>
constexpr entries_of<P, Unit> entries_at(P* data, const element_layout& l, index_t element, index_t component) {
  if constexpr (Unit) return {data + l.component * component + l.block * (element - l.first), 1};
  return {data + l.start(element, component), l.entry};
}

}  // namespace tessera::device
