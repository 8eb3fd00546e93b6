// SPDX-License-Identifier: BSD-3-Clause
// Where the entries of an E-vector are: the values at the nodes of every element, component by component.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Entry i of component c of element first + e is at
///
///     entry i + component c + element (e mod lanes) + block (e div lanes).
///
/// An E-vector of n = d^dim nodes and C components an element is most often one of the three below.
struct element_layout {
  index_t entry = 1;
  index_t component = 0;
  index_t element = 0;
  index_t lanes = 1;
  index_t block = 0;
  index_t first = 0;  ///< the element that the vector begins with

  constexpr index_t start(index_t number, index_t c = 0) const {
    const index_t e = number - first;
    return component * c + (lanes == 1 ? block * e : element * (e % lanes) + block * (e / lanes));
  }
  constexpr index_t offset(index_t i, index_t c, index_t e) const { return entry * i + start(e, c); }

  /// The same of a vector that begins with another element.
  constexpr element_layout from(index_t number) const {
    element_layout moved = *this;
    moved.first = number;
    return moved;
  }

  /// i + n (c + C e): one element after the other.
  static constexpr element_layout conventional(index_t n, index_t components = 1) {
    return {.entry = 1, .component = n, .block = n * components};
  }
  /// i + n (e + E c): one component after the other, of `elements` elements.
  static constexpr element_layout by_component(index_t n, index_t elements) {
    return {.entry = 1, .component = n * elements, .block = n};
  }
  /// c + C (i + n e): the components of a node side by side.
  static constexpr element_layout by_node(index_t n, index_t components) {
    return {.entry = components, .component = 1, .block = n * components};
  }
  /// w + W (i + n (c + C b)) for element e = w + W b: W elements side by side.
  static constexpr element_layout interleaved(index_t n, index_t components, index_t width) {
    return {.entry = width, .component = width * n, .element = 1, .lanes = width, .block = width * n * components};
  }
};

}  // namespace tessera
