// SPDX-License-Identifier: BSD-3-Clause
// What a kernel from and to L-vectors is launched with: patches, and where numbers are.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// In device memory; src/element/patch_steps.hpp says what the lists hold.
struct patch_arguments {
  const index_t* first_element = nullptr;  // of each step
  const index_t* first_step = nullptr;     // of each patch, from the first one on
  index_t count = 0;                       // patches
};

template <class Code>
struct l_vector_codes {
  const Code* codes = nullptr;  // of entry i of element e of the order: [i + entries (c + lists e)]
  const Code* outer = nullptr;  // the numbers of shared terms
  index_t component = 0;        // from one component's numbers to the next's
  int entries = 0, lists = 1;   // 1: components have the same codes, c = 0

  constexpr const Code* of(index_t element, int c) const {
    return codes + entries * (lists * element + (lists > 1 ? c : 0));
  }
};

/// `Code`, and where terms of shared numbers go.
template <class T, class Code>
struct l_vector_target : l_vector_codes<Code> {
  T* terms = nullptr;  // place p of component c at [p + places c]
  index_t places = 0;
};

}  // namespace tessera::device
