// SPDX-License-Identifier: BSD-3-Clause
// Checks where the entries of E-vectors are: possible offsets, no address twice, no two vectors that overlap.
#pragma once

#include <cstddef>

#include <tessera/element/layout.hpp>

namespace tessera::detail {

/// The entries that an application touches: `size` a component of elements [first, last), of `sides` vectors.
struct vector_entries {
  element_layout layout{};
  index_t size = 0, components = 1;
  index_t first = 0, last = 0;
  index_t sides = 1, side = 0;

  bool is_empty() const { return size == 0 || components == 0 || first >= last || sides == 0; }
};

/// A layout that is left as it is is conventional.
element_layout filled_in(const element_layout& given, index_t size, index_t components);

/// Throws naming `what` where a stride is negative, the layout begins behind the first element, or an entry lies
/// further from the start than a process can address.
void check_places_of(const char* what, const vector_entries& v, std::size_t entry_bytes);

/// True where no two entries have one address. After check_places_of.
bool are_distinct(const vector_entries& v, std::size_t entry_bytes);

/// True where an entry of x, which begins at that address, has a byte in common with one of y. After check_places_of.
bool vectors_meet(const vector_entries& x, const void* x_at, const vector_entries& y, const void* y_at,
                  std::size_t entry_bytes);

}  // namespace tessera::detail
