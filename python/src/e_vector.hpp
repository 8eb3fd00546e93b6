// SPDX-License-Identifier: BSD-3-Clause
// E-vectors: arrays of Python as vectors that have the values at the nodes of every element.
#pragma once

#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include <tessera/element/layout.hpp>

#include "array.hpp"

namespace tessera::python {

/// What an E-vector has. Of products of segments entries may be numbered by direction, the last index first.
struct e_vector_shape {
  index_t elements = 0;
  index_t components = 1;
  index_t entries = 1;  // of a component of an element
  int dim = 1;
  index_t edge = 0;  // entries in each direction; 0: entries have one index

  index_t size() const { return elements * components * entries; }
  /// (elements, components, entries), without a single component.
  std::vector<index_t> extents() const;
};

/// How an array is one. Its extents are (elements, entries) or (elements, components, entries), entries being one index
/// or dim indices; or it has one index for all.
struct e_vector_view {
  element_layout layout;
  bool is_flat = false, has_component = false, by_direction = false;

  /// The extents of an array like it for vectors of another shape.
  std::vector<index_t> extents_of(const e_vector_shape& shape) const;
};

/// Throws ValueError where extents are others, or no single stride leads from entry to entry.
e_vector_view view_of(const array& a, const e_vector_shape& shape, const char* name);

/// "(2, 3, 8)"
std::string extents_text(const array& a);
std::string extents_text(const std::vector<index_t>& extents);

[[noreturn]] void refuse_value(const std::string& text);
[[noreturn]] void refuse_object(const std::string& text);

/// Throws TypeError where an array has entries of another type, ValueError where it is in other memory, or is to be
/// written and cannot.
void check_kind(const array& a, const char* name, scalar_type type, space_kind space, bool written);

}  // namespace tessera::python
