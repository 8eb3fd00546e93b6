// SPDX-License-Identifier: BSD-3-Clause
// Where the coordinates of nodes are.
#pragma once

#include <tessera/fem/element_operator.hpp>

namespace tessera::fem::detail {

/// The layout of nodes, n an element; one that was left as it is means conventional.
template <class T>
element_layout layout_of(const element_nodes<T>& nodes, index_t n) {
  const element_layout &given = nodes.layout, nothing;
  const bool left_as_it_is = given.entry == nothing.entry && given.component == nothing.component &&
                             given.element == nothing.element && given.lanes == nothing.lanes &&
                             given.block == nothing.block;
  return left_as_it_is ? element_layout::conventional(n, nodes.dim).from(given.first) : given;
}

}  // namespace tessera::fem::detail
