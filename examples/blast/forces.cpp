// SPDX-License-Identifier: BSD-3-Clause
// Passes over the zones, by all threads; each zone's results are summed in one order.
#include "forces.hpp"

#include <cmath>

#include "cholesky.hpp"
#include "zone_loops.hpp"

namespace tessera::blast {

namespace {

using numbers = std::vector<double>;

// What a thread has of a zone.
template <int dim>
struct zone_memory {
  zone_loops<dim> nodes, energies;
  numbers component, coefficients, e, sums;
  std::array<numbers, dim> x, v, w;                             // at points
  std::array<std::array<numbers, dim>, dim> J, dv, dw, stress;  // [c][direction], at points

  explicit zone_memory(const spaces& in)
      : nodes(in.line_points, in.order + 1, in.velocity.B, in.velocity.G),
        energies(in.line_points, in.energy_order + 1, in.energy.B, in.energy.G),
        component(std::size_t(in.nodes.zone_nodes)),
        coefficients(std::size_t(in.energies)),
        e(std::size_t(in.points)),
        sums(std::size_t(in.points)) {
    for (std::size_t c = 0; c < dim; ++c) {
      for (auto* each : {&x[c], &v[c], &w[c]}) each->resize(std::size_t(in.points));
      for (std::size_t g = 0; g < dim; ++g)
        for (auto* each : {&J[c][g], &dv[c][g], &dw[c][g], &stress[c][g]}) each->resize(std::size_t(in.points));
    }
  }

  // Component c of a field of the nodes, of zone z.
  const double* gathered(const spaces& in, const double* field, index_t z, index_t c) {
    for (index_t i = 0; i < in.nodes.zone_nodes; ++i)
      component[std::size_t(i)] = field[in.nodes.number[std::size_t(i + in.nodes.zone_nodes * z)] + in.nodes.count * c];
    return component.data();
  }
  void values(const spaces& in, const double* field, index_t z, std::array<numbers, dim>& to) {
    for (std::size_t c = 0; c < dim; ++c) nodes.values(gathered(in, field, z, index_t(c)), to[c].data());
  }
  void gradients(const spaces& in, const double* field, index_t z, std::array<std::array<numbers, dim>, dim>& to) {
    for (std::size_t c = 0; c < dim; ++c) {
      std::array<double*, dim> slopes{};
      for (std::size_t g = 0; g < dim; ++g) slopes[g] = to[c][g].data();
      nodes.gradients(gathered(in, field, z, index_t(c)), slopes);
    }
  }
  static matrix<dim> at(const std::array<std::array<numbers, dim>, dim>& fields, std::size_t k) {
    matrix<dim> made;
    for (std::size_t c = 0; c < dim; ++c)
      for (std::size_t g = 0; g < dim; ++g) made[c][g] = fields[c][g][k];
    return made;
  }
};

// f(memory, zone) for all zones; each thread has memory of its own.
template <int dim, class F>
void over_zones(const spaces& in, const F& f) {
#pragma omp parallel
  {
    zone_memory<dim> memory(in);
#pragma omp for schedule(static)
    for (index_t z = 0; z < in.zones; ++z) f(memory, z);
  }
}

template <int dim>
gas_at_point<dim> gas_of(const spaces& in, const zone_memory<dim>& m, index_t z, std::size_t k) {
  const std::size_t at = k + std::size_t(in.points * z);
  gas_at_point<dim> is{.jacobian = m.at(m.J, k),
                       .velocity_gradient = m.at(m.dv, k),
                       .start_inverse = {},
                       .energy = m.e[k],
                       .mass = in.mass[at],
                       .weight = in.weights[k]};
  for (std::size_t c = 0; c < dim; ++c)
    for (std::size_t g = 0; g < dim; ++g) is.start_inverse[c][g] = in.start_inverse[c + dim * g + dim * dim * at];
  return is;
}

template <int dim>
step_limit evaluate(const spaces& in, const problem& which, const double* state, double* on_nodes, const double* w,
                    double* power) {
  const double* v = state + in.kinematic();
  const double* e = v + in.kinematic();
  std::vector<step_limit> limits(std::size_t(in.zones));
  const index_t n = in.nodes.zone_nodes;
  numbers corner_forces(on_nodes == nullptr ? 0 : std::size_t(n * dim * in.zones));
  over_zones<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.gradients(in, state, z, m.J);
    m.gradients(in, v, z, m.dv);
    m.energies.values(e + in.energies * z, m.e.data());
    if (power != nullptr && w != v) m.gradients(in, w, z, m.dw);
    if (power != nullptr && which.energy_source) m.values(in, state, z, m.x);
    const auto& slopes = w == v ? m.dv : m.dw;
    const gas is{.gamma = in.gamma[std::size_t(z)],
                 .length = in.length,
                 .order = in.order,
                 .viscous = which.viscous,
                 .vorticity = which.vorticity};
    step_limit& limit = limits[std::size_t(z)];
    for (std::size_t k = 0; k < std::size_t(in.points); ++k) {
      const auto force = force_of<dim>(gas_of<dim>(in, m, z, k), is);
      if (force.rate > limit.rate || k == 0)
        limit = {.rate = force.rate, .zone = z, .point = index_t(k), .determinant = force.determinant};
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) m.stress[c][g][k] = force.stress[c][g];
      if (power == nullptr) continue;
      double sum = 0;
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) sum += force.stress[c][g] * slopes[c][g][k];
      if (which.energy_source) {
        vec x{};
        for (std::size_t c = 0; c < dim; ++c) x[c] = m.x[c][k];
        sum += in.weights[k] * force.determinant * taylor_green_source(x);
      }
      m.sums[k] = sum;
    }
    if (power != nullptr) m.energies.sums(m.sums.data(), power + in.energies * z);
    if (on_nodes == nullptr) return;
    for (std::size_t c = 0; c < dim; ++c) {
      std::array<const double*, dim> at{};
      for (std::size_t g = 0; g < dim; ++g) at[g] = m.stress[c][g].data();
      m.nodes.gradient_sums(at, &corner_forces[std::size_t(n * (index_t(c) + dim * z))]);
    }
  });

  if (on_nodes != nullptr) {
    std::fill(on_nodes, on_nodes + in.kinematic(), 0.0);
    for (index_t z = 0; z < in.zones; ++z)
      for (index_t c = 0; c < dim; ++c)
        for (index_t i = 0; i < n; ++i) {
          // Rounding of a gas at rest does not move it.
          const double force = corner_forces[std::size_t(i + n * (c + dim * z))];
          if (std::abs(force) >= 4.9e-32)
            on_nodes[in.nodes.number[std::size_t(i + n * z)] + in.nodes.count * c] += force;
        }
  }
  step_limit highest = limits[0];
  for (const step_limit& limit : limits)
    if (limit.rate > highest.rate) highest = limit;
  return highest;
}

// The sum of f(memory, zone) over the zones, in their order.
template <int dim, class F>
double summed(const spaces& in, const F& f) {
  numbers of_zones(std::size_t(in.zones));
  over_zones<dim>(in, [&](zone_memory<dim>& m, index_t z) { of_zones[std::size_t(z)] = f(m, z); });
  double sum = 0;
  for (const double each : of_zones) sum += each;
  return sum;
}

template <int dim>
double internal_energy(const spaces& in, const double* e) {
  return summed<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.energies.values(e + in.energies * z, m.e.data());
    double sum = 0;
    for (std::size_t k = 0; k < std::size_t(in.points); ++k) sum += in.mass[k + std::size_t(in.points * z)] * m.e[k];
    return sum;
  });
}

template <int dim>
double kinetic_energy(const spaces& in, const double* v) {
  return summed<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.values(in, v, z, m.v);
    double sum = 0;
    for (std::size_t k = 0; k < std::size_t(in.points); ++k)
      for (std::size_t c = 0; c < dim; ++c) sum += in.mass[k + std::size_t(in.points * z)] * m.v[c][k] * m.v[c][k];
    return sum / 2;
  });
}

template <int dim>
void visit(const spaces& in, const double* state, const std::function<void(index_t, const forces::at_point&)>& f) {
  over_zones<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.values(in, state, z, m.x);
    m.gradients(in, state, z, m.J);
    m.values(in, state + in.kinematic(), z, m.v);
    m.energies.values(state + 2 * in.kinematic() + in.energies * z, m.e.data());
    for (std::size_t k = 0; k < std::size_t(in.points); ++k) {
      forces::at_point is{};
      for (std::size_t c = 0; c < dim; ++c) {
        is.x[c] = m.x[c][k];
        is.v[c] = m.v[c][k];
      }
      is.volume = in.weights[k] * determinant(m.at(m.J, k));
      is.density = in.mass[k + std::size_t(in.points * z)] / is.volume;
      is.energy = m.e[k];
      f(z, is);
    }
  });
}

template <int dim>
numbers density(const spaces& in, const double* state) {
  numbers made(std::size_t(in.thermodynamic()));
  over_zones<dim>(in, [&](zone_memory<dim>& m, index_t z) {
    m.gradients(in, state, z, m.J);
    for (std::size_t k = 0; k < std::size_t(in.points); ++k) m.sums[k] = in.weights[k] * determinant(m.at(m.J, k));
    numbers M = energy_matrix(in, m.sums.data());
    double* rho = &made[std::size_t(in.energies * z)];
    m.energies.sums(&in.mass[std::size_t(in.points * z)], rho);
    factor(M, in.energies);
    solve(M, in.energies, rho);
  });
  return made;
}

}  // namespace

forces::forces(const spaces& in, const problem& which) : in_(in), which_(which) {}

step_limit forces::evaluate(const double* state, double* on_nodes, const double* w, double* power) const {
  return with_dim(in_.dim, [&](auto dim) { return blast::evaluate<int(dim)>(in_, which_, state, on_nodes, w, power); });
}

double forces::internal_energy(const double* state) const {
  return with_dim(in_.dim,
                  [&](auto dim) { return blast::internal_energy<int(dim)>(in_, state + 2 * in_.kinematic()); });
}

double forces::kinetic_energy(const double* state) const {
  return with_dim(in_.dim, [&](auto dim) { return blast::kinetic_energy<int(dim)>(in_, state + in_.kinematic()); });
}

double forces::potential_energy(const double* state) const {
  return integral(state, [&](const at_point& is) {
    double sum = 0;
    for (std::size_t a = 0; a < 3; ++a) sum -= is.density * which_.gravity[a] * is.x[a];
    return sum;
  });
}

void forces::visit(const double* state, const std::function<void(index_t, const at_point&)>& f) const {
  with_dim(in_.dim, [&](auto dim) { blast::visit<int(dim)>(in_, state, f); });
}

double forces::integral(const double* state, const std::function<double(const at_point&)>& f) const {
  numbers of_zones(std::size_t(in_.zones));
  visit(state, [&](index_t z, const at_point& is) { of_zones[std::size_t(z)] += is.volume * f(is); });
  double sum = 0;
  for (const double each : of_zones) sum += each;
  return sum;
}

numbers forces::density(const double* state) const {
  return with_dim(in_.dim, [&](auto dim) { return blast::density<int(dim)>(in_, state); });
}

}  // namespace tessera::blast
