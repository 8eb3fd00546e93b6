// SPDX-License-Identifier: BSD-3-Clause
// The point function of a gas in a loop in which each point depends on the one before: by a GPU, and by the host.
#pragma once

#include <tessera/hydro/gas_point.hpp>

namespace tessera::bench {

/// Another one for each thread.
template <int dim>
constexpr hydro::gas_at_point<dim> first_point(int thread) {
  hydro::gas_at_point<dim> at{};
  const double bent = 0.01 + 1e-4 * thread;
  for (int c = 0; c < dim; ++c)
    for (int g = 0; g < dim; ++g) {
      at.jacobian[c][g] = (c == g ? 1 : 0) + bent * (c + 2 * g);
      at.velocity_gradient[c][g] = (c == g ? -0.3 + 0.2 * c : 0.1) + bent * (2 * c - g);
      at.start_inverse[c][g] = (c == g ? 1 : 0) + bent * (g - c);
    }
  at.energy = 1 + bent;
  at.mass = 2 - bent;
  at.weight = 0.125;
  at.gamma = 1.4;
  return at;
}

/// All results are used, and the Jacobian changes: nothing can be left out of the loop but what is of gamma alone. So
/// little that numbers stay what they are but for their last digits, at the price of a multiply-add for each result.
template <int dim>
constexpr void go_to_next_point(hydro::gas_at_point<dim>& at, const hydro::gas_rules& by) {
  const hydro::force_at_point<dim> force = hydro::force_of<dim, double>(at, by);
  for (int c = 0; c < dim; ++c)
    for (int g = 0; g < dim; ++g) at.jacobian[c][g] += 1e-12 * force.stress[c][g];
  at.energy += 1e-12 * force.rate;
}

}  // namespace tessera::bench
