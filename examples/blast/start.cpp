// SPDX-License-Identifier: BSD-3-Clause
// Functions of a problem at nodes and points, and the energy that a blast wave starts from.
#include "start.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "numbering.hpp"

namespace tessera::blast {

namespace {

// All energy in the Bernstein function of the corner at the origin, of each zone that has it.
void release_at_origin(const zone_mesh& mesh, const fem::gas_spaces& in, double released, double* e) {
  double integral = 0;
  std::vector<index_t> first;
  for (index_t z = 0; z < in.zones; ++z)
    for (int c = 0; c < mesh.zone_corners(); ++c) {
      const auto& x = mesh.vertices[std::size_t(mesh.corner(z, c))];
      if (std::hypot(x[0], x[1], x[2]) > 1e-12) continue;
      index_t number = 0, stride = 1;
      for (int a = 0; a < in.dim; ++a, stride *= in.energy_order + 1)
        if ((c >> a & 1) != 0) number += stride * in.energy_order;
      first.push_back(number + in.energies * z);
      for (index_t k = 0; k < in.points; ++k) {
        double value = in.exact_density[std::size_t(k + in.points * z)];
        index_t rest = k;
        for (int a = 0; a < in.dim; ++a, rest /= in.line_points) {
          const index_t function = (c >> a & 1) != 0 ? in.energy_order : 0;
          value *= in.energy.B[std::size_t(rest % in.line_points + in.line_points * function)];
        }
        integral += value;
      }
    }
  if (first.empty()) throw std::runtime_error("the mesh has no vertex at the origin, where the energy is released");
  for (const index_t number : first) e[number] += released / integral;
}

// `own` of the zone's material, or the problem's function.
template <class Member, class Function>
fem::gas_function by_zone(const zone_mesh& mesh, const std::vector<zone_material>& materials, Member own,
                          const Function& otherwise) {
  return [&mesh, &materials, own, otherwise](index_t zone, const vec& x) {
    const zone_material* const is = material_of(materials, mesh.attributes[std::size_t(zone)]);
    return is != nullptr ? is->*own : otherwise(x);
  };
}

}  // namespace

fem::gas_spaces make_spaces(const zone_mesh& mesh, const problem& which, const std::vector<zone_material>& materials,
                            const fem::gas_orders& of) {
  const auto function = [&](double zone_material::*own, double (*otherwise)(const vec&, int)) {
    return by_zone(mesh, materials, own, [otherwise, dim = mesh.dim](const vec& x) { return otherwise(x, dim); });
  };
  return fem::make_gas_spaces(mesh.dim, number_nodes(mesh, of.velocity),
                              {.density = function(&zone_material::density, which.density),
                               .gamma = function(&zone_material::gamma, which.gamma)},
                              of);
}

std::vector<double> initial_state(const zone_mesh& mesh, const fem::gas_spaces& in, const problem& which,
                                  const std::vector<zone_material>& materials, double released) {
  std::vector<double> state(std::size_t(in.state_size()));
  std::copy(in.nodes.coordinates.begin(), in.nodes.coordinates.end(), state.begin());
  double* v = state.data() + in.kinematic();
  for (index_t i = 0; i < in.nodes.count; ++i) {
    vec x{};
    for (int a = 0; a < in.dim; ++a) x[std::size_t(a)] = in.nodes.coordinates[std::size_t(i + in.nodes.count * a)];
    const vec at = which.velocity(x, in.dim);
    for (int a = 0; a < in.dim; ++a) v[i + in.nodes.count * a] = at[std::size_t(a)];
  }
  for (const index_t wall : in.nodes.walls) v[wall] = 0;
  double* e = v + in.kinematic();
  const auto energy = by_zone(mesh, materials, &zone_material::energy,
                              [&](const vec& x) { return which.energy == nullptr ? 0 : which.energy(x, in.dim); });
  const auto found = fem::energy_coefficients(in, energy);
  std::copy(found.begin(), found.end(), e);
  if (which.energy == nullptr) release_at_origin(mesh, in, released, e);
  return state;
}

}  // namespace tessera::blast
