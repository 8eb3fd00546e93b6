// SPDX-License-Identifier: BSD-3-Clause
// What the GPU's kernel of a built-in element operator is made for.
#pragma once

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/element/operators.hpp>

namespace tessera {

/// d functions of x and of y, and q points in each direction; one application to an element, entries side by side, D
/// stored in the type of x.
constexpr element_kernel_facts facts_of(operator_kind kind, int dim, int d, int q, int entry_bytes) {
  element_kernel_facts f{
      .dim = dim, .trial = d, .points = q, .test = d, .entry_bytes = entry_bytes, .stored_bytes = entry_bytes};
  with_function(kind, dim, [&]<class Function>(const Function&) {
    f.of_trial = Function::trial;
    f.of_test = Function::test;
    f.factors = Function::factors;
  });
  return f;
}

}  // namespace tessera
