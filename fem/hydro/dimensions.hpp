// SPDX-License-Identifier: BSD-3-Clause
// From a dimension that is known when the program runs to code that is compiled for it.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::fem::detail {

/// f(constant<dim>{}), for dim 1, 2 or 3.
template <class F>
auto with_dim(int dim, const F& f) {
  if (dim == 1) return f(constant<1>{});
  return dim == 2 ? f(constant<2>{}) : f(constant<3>{});
}

/// Of a grid: `base` points in each of so many directions.
constexpr index_t power(index_t base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

}  // namespace tessera::fem::detail
