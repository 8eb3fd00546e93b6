// SPDX-License-Identifier: BSD-3-Clause
// Functions of a problem at nodes and points, and the energy that a blast wave starts from.
#include "start.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "numbering.hpp"

namespace tessera::blast {

namespace {

// All energy in the Bernstein function of the corner at the origin, of each zone that has it. The density is 1 there.
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
  for (const index_t number : first) e[number] = released / integral;
}

}  // namespace

fem::gas_spaces make_spaces(const zone_mesh& mesh, const problem& which, const fem::gas_orders& of) {
  const int dim = mesh.dim;
  return fem::make_gas_spaces(dim, number_nodes(mesh, of.velocity),
                              {.density = [&](index_t, const vec& x) { return which.density(x, dim); },
                               .gamma = [&](index_t, const vec& x) { return which.gamma(x, dim); }},
                              of);
}

std::vector<double> initial_state(const zone_mesh& mesh, const fem::gas_spaces& in, const problem& which,
                                  double released) {
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
  if (which.energy == nullptr) {
    release_at_origin(mesh, in, released, e);
  } else {
    const auto found = fem::energy_coefficients(in, [&](index_t, const vec& x) { return which.energy(x, in.dim); });
    std::copy(found.begin(), found.end(), e);
  }
  return state;
}

}  // namespace tessera::blast
