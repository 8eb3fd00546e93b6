// SPDX-License-Identifier: BSD-3-Clause
// What the GPU's kernel of a built-in element operator is made for.
#pragma once

#include <tessera/element/element_tuning.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/element/pointwise.hpp>

namespace tessera {

namespace detail {

template <template <int> class Function>
constexpr element_kernel_facts with_parts_of(element_kernel_facts f) {
  const auto take = [&]<int dim>() {
    f.of_trial = Function<dim>::trial;
    f.of_test = Function<dim>::test;
    f.factors = Function<dim>::factors;
    return f;
  };
  return f.dim == 1   ? take.template operator()<1>()
         : f.dim == 2 ? take.template operator()<2>()
                      : take.template operator()<3>();
}

}  // namespace detail

/// d functions of x and of y, and q points in each direction; one application to an element, entries side by side, D
/// stored in the type of x.
constexpr element_kernel_facts facts_of(operator_kind kind, int dim, int d, int q, int entry_bytes) {
  const element_kernel_facts sizes{
      .dim = dim, .trial = d, .points = q, .test = d, .entry_bytes = entry_bytes, .stored_bytes = entry_bytes};
  switch (kind) {
    case operator_kind::mass: return detail::with_parts_of<pointwise::mass>(sizes);
    case operator_kind::diffusion: return detail::with_parts_of<pointwise::diffusion>(sizes);
    case operator_kind::helmholtz: return detail::with_parts_of<pointwise::helmholtz>(sizes);
    case operator_kind::convection: return detail::with_parts_of<pointwise::convection>(sizes);
    case operator_kind::elasticity: break;
  }
  return detail::with_parts_of<pointwise::elasticity>(sizes);
}

}  // namespace tessera
