// SPDX-License-Identifier: BSD-3-Clause
// Diffusion as a user would write it, with only at_point of the library: included here, and compiled for the GPU from
// its text.
#pragma once

#include <tessera/element/at_point.hpp>

namespace tessera::bench {

/// D: 00 01 11 in 2-D, 00 01 02 11 12 22 in 3-D.
template <int dimension>
struct own_diffusion {
  static constexpr int dim = dimension, factors = dimension * (dimension + 1) / 2;
  static constexpr point_shape trial{.gradient = true}, test{.gradient = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    const S(&g)[dim] = u.gradient[0];
    S(&r)[dim] = v.gradient[0];
    if constexpr (dim == 2) {
      r[0] = D[0] * g[0] + D[1] * g[1];
      r[1] = D[1] * g[0] + D[2] * g[1];
    } else {
      r[0] = D[0] * g[0] + D[1] * g[1] + D[2] * g[2];
      r[1] = D[1] * g[0] + D[3] * g[1] + D[4] * g[2];
      r[2] = D[2] * g[0] + D[4] * g[1] + D[5] * g[2];
    }
  }
};

}  // namespace tessera::bench
