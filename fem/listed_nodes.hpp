// SPDX-License-Identifier: BSD-3-Clause
// Nodes and data of some elements, in the order of a list.
#pragma once

#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "host_memory.hpp"

namespace tessera::fem::detail {

/// `each` numbers an element, of the elements of a list.
template <class T>
std::vector<T> in_order(std::span<const index_t> list, index_t elements, const T* from, index_t each) {
  const on_host<const T> given(from, elements * each);
  std::vector<T> all(list.size() * std::size_t(each));
  T* to = all.data();
  for (const index_t e : list) to = std::copy_n(given.data() + e * each, each, to);
  return all;
}

/// Copies of the nodes' coordinates and of coefficients at points.
template <class T>
struct listed_nodes {
  std::vector<T> coordinates, coefficients;

  listed_nodes() = default;
  /// `points` of an element. Throws where the nodes cannot be read as they are described.
  listed_nodes(const element_nodes<T>& nodes, std::span<const index_t> list, const element_operator_options& options,
               index_t points);

  /// The nodes of the list's elements.
  element_nodes<T> of(const element_nodes<T>& all) const;
};

/// make(), whose elements are in another order than the caller's: an error names elements as in_callers_order() does.
template <class Make, class Same>
auto named_as_given(const Make& make, const Same& in_callers_order) {
  try {
    return make();
  } catch (const error&) {
    in_callers_order();
    throw;
  }
}

}  // namespace tessera::fem::detail
