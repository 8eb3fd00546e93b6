// SPDX-License-Identifier: BSD-3-Clause
// Passes over the zones, by all threads; each zone's results are summed in one order.
#include <tessera/fem/hydro/gas_fields.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/cpu/detail/parallel.hpp>

#include "dimensions.hpp"
#include "energy_matrix.hpp"
#include "zone_cholesky.hpp"
#include "zone_loops.hpp"

namespace tessera::fem {

namespace {

using numbers = std::vector<double>;
using detail::with_dim, detail::zone_loops;

// What a thread has of a zone.
template <int dim>
struct zone_memory {
  zone_loops<dim> nodes, energies;
  numbers component, e;
  std::array<numbers, dim> x, v;                    // at points
  std::array<std::array<numbers, dim>, dim> J, dv;  // [c][direction], at points

  explicit zone_memory(const gas_spaces& in)
      : nodes(in.line_points, in.order + 1, in.velocity.B, in.velocity.G),
        energies(in.line_points, in.energy_order + 1, in.energy.B, in.energy.G),
        component(std::size_t(in.zone_nodes)),
        e(std::size_t(in.points)) {
    for (std::size_t c = 0; c < dim; ++c) {
      for (auto* each : {&x[c], &v[c]}) each->resize(std::size_t(in.points));
      for (std::size_t g = 0; g < dim; ++g)
        for (auto* each : {&J[c][g], &dv[c][g]}) each->resize(std::size_t(in.points));
    }
  }

  // Component c of a field of the nodes, of zone z.
  const double* gathered(const gas_spaces& in, const double* field, index_t z, index_t c) {
    for (index_t i = 0; i < in.zone_nodes; ++i)
      component[std::size_t(i)] = field[in.nodes.number[std::size_t(i + in.zone_nodes * z)] + in.nodes.count * c];
    return component.data();
  }
  void values(const gas_spaces& in, const double* field, index_t z, std::array<numbers, dim>& to) {
    for (std::size_t c = 0; c < dim; ++c) nodes.values(gathered(in, field, z, index_t(c)), to[c].data());
  }
  void gradients(const gas_spaces& in, const double* field, index_t z, std::array<std::array<numbers, dim>, dim>& to) {
    for (std::size_t c = 0; c < dim; ++c) {
      std::array<double*, dim> slopes{};
      for (std::size_t g = 0; g < dim; ++g) slopes[g] = to[c][g].data();
      nodes.gradients(gathered(in, field, z, index_t(c)), slopes);
    }
  }
  void energy(const gas_spaces& in, const double* state, index_t z) {
    energies.values(state + 2 * in.kinematic() + in.energies * z, e.data());
  }
  static hydro::matrix<dim> at(const std::array<std::array<numbers, dim>, dim>& fields, std::size_t k) {
    hydro::matrix<dim> made;
    for (std::size_t c = 0; c < dim; ++c)
      for (std::size_t g = 0; g < dim; ++g) made[index_t(c)][g] = fields[c][g][k];
    return made;
  }
};

// f(memory, zone) for all zones; each thread has memory of its own.
template <int dim, class F>
void over_zones(const gas_spaces& in, const F& f) {
  for_batch_chunks(in.zones, [&](index_t first, index_t last) {
    zone_memory<dim> memory(in);
    for (index_t z = first; z < last; ++z) f(memory, z);
  });
}

template <int dim>
void visit(const gas_spaces& in, const double* state, const std::function<void(index_t, const gas_point&)>& f) {
  over_zones<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.values(in, state, z, m.x);
    m.gradients(in, state, z, m.J);
    m.values(in, state + in.kinematic(), z, m.v);
    m.energy(in, state, z);
    for (std::size_t k = 0; k < std::size_t(in.points); ++k) {
      gas_point is{};
      for (std::size_t c = 0; c < dim; ++c) {
        is.x[c] = m.x[c][k];
        is.v[c] = m.v[c][k];
      }
      is.volume = in.weights[k] * hydro::determinant(m.at(m.J, k));
      is.density = in.mass[k + std::size_t(in.points * z)] / is.volume;
      is.energy = m.e[k];
      f(z, is);
    }
  });
}

template <int dim>
numbers density(const gas_spaces& in, const double* state) {
  numbers made(std::size_t(in.thermodynamic()));
  over_zones<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.gradients(in, state, z, m.J);
    numbers volumes(std::size_t(in.points)), M(std::size_t(in.energies * in.energies));
    for (std::size_t k = 0; k < volumes.size(); ++k) volumes[k] = in.weights[k] * hydro::determinant(m.at(m.J, k));
    detail::energy_matrix(in, volumes.data(), M.data());
    double* const rho = &made[std::size_t(in.energies * z)];
    m.energies.sums(&in.mass[std::size_t(in.points * z)], rho);
    detail::factor(M, in.energies);
    detail::solve(M, in.energies, rho);
  });
  return made;
}

template <int dim>
point_limit limit(const gas_spaces& in, const hydro::gas_rules& rules, const double* state, index_t z) {
  zone_memory<dim> m(in);
  m.gradients(in, state, z, m.J);
  m.gradients(in, state + in.kinematic(), z, m.dv);
  m.energy(in, state, z);
  point_limit found;
  for (std::size_t k = 0; k < std::size_t(in.points); ++k) {
    const std::size_t at = k + std::size_t(in.points * z);
    const double* const start = in.start_inverse_at(z, index_t(k));
    hydro::gas_at_point<dim> is{.jacobian = m.at(m.J, k),
                                .velocity_gradient = m.at(m.dv, k),
                                .start_inverse = {},
                                .energy = m.e[k],
                                .mass = in.mass[at] / in.weights[k],
                                .weight = in.weights[k],
                                .gamma = in.gamma[std::size_t(z)]};
    for (std::size_t c = 0; c < dim; ++c)
      for (std::size_t g = 0; g < dim; ++g) is.start_inverse[index_t(c)][g] = start[c + dim * g];
    const auto force = hydro::force_of<dim, double>(is, rules);
    if (force.rate > found.rate || k == 0) found = {force.rate, index_t(k), force.determinant};
  }
  return found;
}

}  // namespace

hydro::gas_rules rules_of(const gas_spaces& in, const gas_physics& physics) {
  return {.length = in.length, .order = in.order, .viscous = physics.viscous, .vorticity = physics.vorticity};
}

corner_forces make_corner_forces(const gas_spaces& in, const gas_physics& physics, space_kind space) {
  numbers mass(in.mass);
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] /= in.weights[i % std::size_t(in.points)];
  return corner_forces({.dim = in.dim,
                        .weights = in.line_weights,
                        .node_values = in.velocity.B,
                        .node_derivatives = in.velocity.G,
                        .energy_values = in.energy.B,
                        .rules = rules_of(in, physics),
                        .gamma = in.gamma,
                        .density_times_det = mass,
                        .start_inverse = in.start_inverse},
                       in.unknowns(in.dim, false), space);
}

void visit_points(const gas_spaces& in, const double* state, const std::function<void(index_t, const gas_point&)>& f) {
  with_dim(in.dim, [&](auto dim) { visit<int(dim)>(in, state, f); });
}

double integral(const gas_spaces& in, const double* state, const std::function<double(const gas_point&)>& f) {
  numbers of_zones(std::size_t(in.zones));
  visit_points(in, state, [&](index_t z, const gas_point& is) { of_zones[std::size_t(z)] += is.volume * f(is); });
  double sum = 0;
  for (const double each : of_zones) sum += each;
  return sum;
}

numbers gas_density(const gas_spaces& in, const double* state) {
  return with_dim(in.dim, [&](auto dim) { return density<int(dim)>(in, state); });
}

point_limit limit_in_zone(const gas_spaces& in, const gas_physics& physics, const double* state, index_t zone) {
  return with_dim(in.dim, [&](auto dim) { return limit<int(dim)>(in, rules_of(in, physics), state, zone); });
}

}  // namespace tessera::fem
