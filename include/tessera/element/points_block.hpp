// SPDX-License-Identifier: BSD-3-Clause
// Many quadrature points at once: what a pointwise function that is called for a block of them is given.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Points of some elements, all of them or a part: which point of its element n is does not follow from n. Quantity i
/// of point n is at [n + count i], so that a loop over n reads and writes side by side. Of u and of what is given
/// to the test functions, component c is quantity c of the values, and its derivative in direction a quantity a + dim c
/// of the gradients; factor f is quantity f of D. What a function does not take or give is null.
template <class T>
struct points_block {
  index_t count = 0;  // a multiple of the elements in a block, some of which may be there twice
  const T* value = nullptr;
  const T* gradient = nullptr;
  const T* D = nullptr;
  T* value_out = nullptr;  // every entry is to be written
  T* gradient_out = nullptr;
};

/// `state` is the function's own. Called by several threads at a time.
template <class T>
using points_function = void (*)(const points_block<T>& block, const void* state);

}  // namespace tessera
