// SPDX-License-Identifier: BSD-3-Clause
// Pointwise functions as a user writes them: included by programs, and given to the GPU's compiler as text.
#pragma once

#include <tessera/element/at_point.hpp>

namespace tessera::testing {

// snippet force
/// Corner forces: momentum from energy, grad v_c . (column c of D) e.
struct force {
  static constexpr int dim = 3, factors = 9;
  static constexpr point_shape trial{.value = true}, test{.components = 3, .gradient = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, 3>& e, const S (&D)[9], at_point<S, 3, 3>& v) const {
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) v.gradient[c][a] = D[a + 3 * c] * e.value[0];
  }
};
// end snippet

/// Its transpose: energy from velocity.
struct work {
  static constexpr int dim = 3, factors = 9;
  static constexpr point_shape trial{.components = 3, .gradient = true}, test{.value = true};
  template <class S>
  constexpr void operator()(const at_point<S, 3, 3>& v, const S (&D)[9], at_point<S, 1, 3>& e) const {
    e.value[0] = D[0] * v.gradient[0][0];
    for (int i = 1; i < 9; ++i) e.value[0] = e.value[0] + D[i] * v.gradient[i / 3][i % 3];
  }
};

/// A function with state.
struct damping_of_cube {
  static constexpr int dim = 3, factors = 1;
  static constexpr point_shape trial{.value = true}, test{.value = true};
  double strength;
  template <class S>
  constexpr void operator()(const at_point<S, 1, 3>& u, const S (&D)[1], at_point<S, 1, 3>& v) const {
    v.value[0] = S(strength) * D[0] * u.value[0] * u.value[0];
  }
};

}  // namespace tessera::testing
