// SPDX-License-Identifier: BSD-3-Clause
// Where a kernel finds the entries of an element among the numbers of L-vectors.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// In device memory; src/element/l_vector_lists.hpp says what the lists hold.
template <class Code>
struct l_vector_codes {
  const Code* codes = nullptr;  // of entry i of element e of the order: [i + entries (c + lists e)]
  index_t component = 0;        // from one component's numbers to the next's
  int entries = 0, lists = 1;   // 1: components have the same codes, c = 0

  constexpr const Code* of(index_t element, int c) const {
    return codes + entries * (lists * element + (lists > 1 ? c : 0));
  }
};

/// `Code`, and where terms go: those of element e at terms[place + component_terms c + element_terms e].
template <class T, class Code>
struct l_vector_target : l_vector_codes<Code> {
  const int* places = nullptr;  // of entry i among the terms of its element; -1: its number is no other entry's
  T* terms = nullptr;
  index_t component_terms = 0;
  int element_terms = 0;
};

}  // namespace tessera::device
