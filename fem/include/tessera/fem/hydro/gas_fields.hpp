// SPDX-License-Identifier: BSD-3-Clause
// What a state is at the points of its zones, for output, errors and messages: plain code of the host. States are in
// host memory.
#pragma once

#include <functional>
#include <vector>

#include <tessera/fem/hydro/gas_spaces.hpp>
#include <tessera/hydro/corner_forces.hpp>

namespace tessera::fem {

/// What drives a gas beside its pressure.
struct gas_physics {
  bool viscous = true;     ///< artificial viscosity
  bool vorticity = false;  ///< its linear part is reduced where the flow turns more than it is compressed
  bool source = false;     ///< of energy: keeps the Taylor-Green vortex steady in 2-D
  point gravity{};
};

/// Forces of these zones, on a CPU or a GPU.
corner_forces make_corner_forces(const gas_spaces& in, const gas_physics& physics, space_kind space);
hydro::gas_rules rules_of(const gas_spaces& in, const gas_physics& physics);

struct gas_point {
  point x, v;
  double volume;  ///< quadrature weight times det J
  double density, energy;
};
/// f(zone, what there is) at every point; zones are visited at the same time, the points of one in their order.
void visit_points(const gas_spaces& in, const double* state, const std::function<void(index_t, const gas_point&)>& f);
/// The integral of f, summed in the order of zones.
double integral(const gas_spaces& in, const double* state, const std::function<double(const gas_point&)>& f);
/// Per volume, as coefficients of the energy's functions: mass and functions' integrals agree in each zone.
std::vector<double> gas_density(const gas_spaces& in, const double* state);

/// The point of a zone that allows the shortest step.
struct point_limit {
  double rate = 0;  ///< CFL number / rate is the longest step; hydro::tangled_rate: the zone is tangled
  index_t point = 0;
  double determinant = 0;
};
point_limit limit_in_zone(const gas_spaces& in, const gas_physics& physics, const double* state, index_t zone);

}  // namespace tessera::fem
