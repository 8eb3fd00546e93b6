// SPDX-License-Identifier: BSD-3-Clause
// From an operator's kind to the struct of its pointwise function.
#pragma once

#include <tessera/element/operator_kind.hpp>
#include <tessera/element/pointwise.hpp>

namespace tessera::simd {

/// The struct of an operator's pointwise function.
template <operator_kind kind, int dim>
struct function_type;
template <int dim>
struct function_type<operator_kind::mass, dim> {
  using type = pointwise::mass<dim>;
};
template <int dim>
struct function_type<operator_kind::diffusion, dim> {
  using type = pointwise::diffusion<dim>;
};
template <int dim>
struct function_type<operator_kind::helmholtz, dim> {
  using type = pointwise::helmholtz<dim>;
};
template <int dim>
struct function_type<operator_kind::convection, dim> {
  using type = pointwise::convection<dim>;
};
template <int dim>
struct function_type<operator_kind::elasticity, dim> {
  using type = pointwise::elasticity<dim>;
};

}  // namespace tessera::simd
