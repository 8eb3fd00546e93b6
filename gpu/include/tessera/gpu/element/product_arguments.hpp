// SPDX-License-Identifier: BSD-3-Clause
// What the kernel of symmetric element matrices by products is launched with, and its tuning as a type of integers.
#pragma once

#include <tessera/element/couplings.hpp>
#include <tessera/element/product_room.hpp>
#include <tessera/gpu/element/pair_arguments.hpp>

namespace tessera::device {

template <class T>
struct product_arguments {
  const void* D = nullptr;  // factor f of point k of element e at [k + points (f + factors e)]
  T* M = nullptr;           // the matrices of elements first, first + 1, ..., one behind the other
  index_t first = 0, count = 0;
  entry_places places;
  const T* fragments = nullptr;  // of the tables: see product_tables.hpp
};

/// product_tuning and what else is no size of one direction.
template <bool Packed, product_way Way, int Elements, int Sharing, int Threads, int Blocks>
struct product_shape {
  static constexpr bool packed = Packed;
  static constexpr product_tuning tuning{Way, Elements, Sharing, Threads, Blocks};
};

template <class Function>
constexpr product_sizes product_sizes_of(int d, int q, bool packed) {
  using pairs = couplings<Function>;
  constexpr int dim = Function::dim;
  return {dim, d, q, Function::factors, pairs::count(dim - 2), dim < 3 ? 1 : pairs::count(0), packed};
}

}  // namespace tessera::device
