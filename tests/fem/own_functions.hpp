// SPDX-License-Identifier: BSD-3-Clause
// Pointwise functions as a user writes them: included by programs, and given to the GPU's compiler as text.
#pragma once

#include <tessera/core/math.hpp>
#include <tessera/element/at_point.hpp>
#include <tessera/element/point_field.hpp>

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

/// Diffusion and reaction in u, at a state u0 and with a coefficient c that varies: D = {w, u0, grad u0, c}.
struct at_state {
  static constexpr int dim = 3;
  static constexpr point_shape trial{.value = true, .gradient = true}, test = trial;
  static constexpr point_shape state{.value = true, .gradient = true}, coefficient{.value = true};
  static constexpr int of_state = 1, of_coefficient = of_state + field_size(state, dim);
  static constexpr int factors = of_coefficient + field_size(coefficient, dim);

  template <class S>
  constexpr void operator()(const at_point<S, 1, 3>& u, const S (&D)[factors], at_point<S, 1, 3>& v) const {
    const auto u0 = field_in<dim, state, of_state>(D);
    const auto c = field_in<dim, coefficient, of_coefficient>(D);
    S slope = u0.gradient[0][0] * u0.gradient[0][0];
    for (int a = 1; a < dim; ++a) slope = slope + u0.gradient[0][a] * u0.gradient[0][a];
    const S kappa = D[0] * tessera::pow(S(1) + slope, S(0.25)) / tessera::sqrt(S(1) + slope);
    const S hot = tessera::exp(tessera::min(u0.value[0], 1)), cold = tessera::log(S(3) - u0.value[0]);
    const S rate = tessera::select(u0.value[0] > S(0), hot, cold) + tessera::abs(tessera::max(c.value[0], S(-0.5)));
    v.value[0] = D[0] * rate * u.value[0];
    for (int a = 0; a < dim; ++a) v.gradient[0][a] = kappa * u.gradient[0][a];
  }
};

}  // namespace tessera::testing
