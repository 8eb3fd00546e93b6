// SPDX-License-Identifier: BSD-3-Clause
// Counts of a box of moving zones.
#include "hydro/gas_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "definition/element_sizes.hpp"

namespace tessera::bench {

// Directions are contracted one after the other. The first one leaves values and slopes, each further one those and the
// slopes across it; after the last one values are not needed.
double gas_sizes::gradient_flops() const {
  const double N = double(n()), Q = double(q());
  const double of_zone =
      dim == 3 ? 4 * Q * N * N * N + 6 * Q * Q * N * N + 6 * Q * Q * Q * N : 4 * Q * N * N + 4 * Q * Q * N;
  return of_zone * double(zones());
}

double gas_sizes::value_flops() const {
  const double M = double(m()), Q = double(q());
  const double of_zone = dim == 3 ? Q * M * M * M + Q * Q * M * M + Q * Q * Q * M : Q * M * M + Q * Q * M;
  return 2 * of_zone * double(zones());
}

double gas_sizes::velocity_mass_flops() const {
  const element_sizes mass{.kind = operator_kind::mass, .dim = dim, .components = dim, .p = order, .q = int(q())};
  return mass.flops() * double(zones());
}

// A multiply-add for each entry of both triangles.
double gas_sizes::energy_solve_flops() const { return 2.0 * double(thermodynamic()) * double(zone_energies()); }

double gas_sizes::kept_bytes() const {
  const index_t jacobians = bent_start ? points() : zones();
  return 8.0 * double(points() + dim * dim * jacobians + zones());
}

double gas_sizes::written_bytes(bool forces) const {
  return 8.0 * double(thermodynamic() + (forces ? kinematic() + zones() : 0));
}

// Each stage copies v (2 vectors of the nodes) and changes the sign of the forces (2); stages 2 to 4 start from the
// state and one slope (3 states each); the end is the sum of the state and 4 slopes (6).
double gas_sizes::step_sum_bytes() const { return 16 * vector_bytes() + 15 * state_bytes(); }

gas_sizes gas_sizes_for(int dim, int order, double points, bool bent_start) {
  gas_sizes s{.dim = dim, .order = order, .bent_start = bent_start};
  const double lines = std::pow(points, 1.0 / dim) / double(s.q());
  s.cells = std::max<index_t>(1, index_t(std::llround(lines)));
  return s;
}

}  // namespace tessera::bench
