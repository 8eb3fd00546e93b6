// SPDX-License-Identifier: BSD-3-Clause
// element_call: a call of another implementation of element operators.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/scalar.hpp>

namespace tessera::bench {

/// y = B^T D B x, or y += it, in every element, with p + 1 functions and q points a direction. x and y are E-vectors:
/// one element after the other, component by component, first direction fastest; D is [element][point][factor].
struct element_call {
  operator_kind kind = operator_kind::mass;
  scalar_type type = scalar_type::f64;
  int dim = 3, components = 1;
  int p = 1, q = 3;
  bool nodal = false;  // the points are the Gauss-Lobatto nodes, else Gauss points
  bool add = false;
  index_t elements = 0;
  const void* x = nullptr;
  const void* D = nullptr;
  void* y = nullptr;
  int threads = 1;
};

}  // namespace tessera::bench
