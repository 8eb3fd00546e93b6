// SPDX-License-Identifier: BSD-3-Clause
// One call of a kernel of diagonals: as many elements as a vector has lanes.
#pragma once

#include <tessera/cpu/detail/element/dense_function.hpp>

namespace tessera {

/// Products of the i-th test and the i-th trial function of one direction, at its points: entry k + points i, as often
/// as the kernel wants it.
template <class T>
struct diagonal_products {
  const T* of[2][2] = {};  // [of the test function's derivative][of the trial function's derivative], else values
  index_t functions = 0, points = 0;
  const element_panels<T>* dense = nullptr;  // instead, of dense tables
};

template <class T>
struct diagonal_block {
  const T* D = nullptr;  // factor f of point k is entry f + factors k of a lane, as for element_block
  T* y = nullptr;        // (d,..,d, coupled components), overwritten
  T* scratch = nullptr;
  const diagonal_products<T>* products = nullptr;
};

}  // namespace tessera
