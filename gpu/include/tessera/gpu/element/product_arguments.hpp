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
  product_sizes s{dim, d, q, Function::factors, pairs::count(dim - 2), 1, {}, packed};
  if (dim < 3) return s;
  s.groups = pairs::count(0);
  for (int in = 0; in < 2; ++in)
    for (int out = 0; out < 2; ++out)
      if (pairs::present(0, out, in)) s.joins[pairs::number(0, out, in)] = pairs::joins_as(1, out, in, 1, 3);
  return s;
}

}  // namespace tessera::device
