// SPDX-License-Identifier: BSD-3-Clause
// A gas on a bent box of zones, with numbers drawn for its state; its corner forces and their power by plain loops.
#pragma once

#include <tessera/fem/hydro/gas_fields.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "fem/hydro/zone_loops.hpp"

namespace tessera::testing {

using numbers = std::vector<double>;

struct gas_case {
  fem::gas_spaces in;
  numbers state, other;  // x, v, e; another velocity
};

/// So many zones a direction. `bent`: at the start, too, so that each point has a Jacobian of its own.
inline gas_case drawn_gas(int dim, const index_t (&cells)[3], const fem::gas_orders& of, bool bent) {
  const index_t k = of.velocity;
  const restriction box =
      restriction::box({.dim = dim, .cells = {cells[0], cells[1], cells[2]}, .order = int(k), .components = dim});
  const fem::basis line(fem::basis_kind::gauss_lobatto, of.velocity);
  fem::gas_nodes nodes{.count = box.size() / dim};
  nodes.coordinates.resize(std::size_t(box.size()));
  std::mt19937 random(unsigned(dim + 10 * k));
  std::uniform_real_distribution<double> drawn(-1, 1);
  for (index_t z = 0; z < box.elements(); ++z)
    for (index_t i = 0; i < box.entries(); ++i) nodes.number.push_back(box.offset(i, z));
  index_t lines[3] = {1, 1, 1};
  for (int a = 0; a < dim; ++a) lines[a] = k * cells[a] + 1;
  for (index_t n = 0; n < nodes.count; ++n) {
    index_t rest = n;
    for (int a = 0; a < dim; ++a) {
      const index_t i = rest % lines[a];
      rest /= lines[a];
      nodes.coordinates[std::size_t(n + nodes.count * a)] =
          double(i / k) + (i % k == 0 ? 0 : line.nodes()[std::size_t(i % k)]);
    }
  }
  const numbers straight = nodes.coordinates;
  const auto bend = [&](double size) {
    numbers x = straight;
    for (double& each : x) each += size / double(k * k) * drawn(random);
    return x;
  };
  if (bent) nodes.coordinates = bend(0.04);
  gas_case made{
      .in = fem::make_gas_spaces(dim, nodes,
                                 {.density = [](index_t, const fem::point& x) { return 2 + std::sin(x[0] + x[1]); },
                                  .gamma = [](index_t, const fem::point& x) { return x[0] < 1 ? 1.4 : 5.0 / 3; }},
                                 of),
      .state = {},
      .other = {}};
  made.state = bend(0.05);
  for (index_t i = 0; i < made.in.kinematic(); ++i) {
    made.state.push_back(drawn(random));
    made.other.push_back(drawn(random));
  }
  for (index_t i = 0; i < made.in.thermodynamic(); ++i) made.state.push_back(0.9 + drawn(random));  // some below 0
  return made;
}

struct plain_forces {
  numbers forces, power, rates;
};

template <int dim>
plain_forces plain_forces_in(const gas_case& of, const fem::gas_physics& physics, const double* w) {
  const fem::gas_spaces& in = of.in;
  const hydro::gas_rules rules = fem::rules_of(in, physics);
  const double *x = of.state.data(), *v = x + in.kinematic(), *e = v + in.kinematic();
  const std::size_t points = std::size_t(in.points), nodes = std::size_t(in.zone_nodes);
  fem::detail::zone_loops<dim> loops(in.line_points, in.order + 1, in.velocity.B, in.velocity.G);
  fem::detail::zone_loops<dim> energy_loops(in.line_points, in.energy_order + 1, in.energy.B, in.energy.G);
  using fields = std::array<std::array<numbers, dim>, dim>;
  const auto gradients = [&](const double* field, index_t z) {
    fields made;
    numbers component(nodes);
    for (std::size_t c = 0; c < dim; ++c) {
      for (std::size_t i = 0; i < nodes; ++i)
        component[i] = field[in.nodes.number[i + nodes * std::size_t(z)] + in.nodes.count * index_t(c)];
      std::array<double*, dim> slopes{};
      for (std::size_t g = 0; g < dim; ++g) {
        made[c][g].resize(points);
        slopes[g] = made[c][g].data();
      }
      loops.gradients(component.data(), slopes);
    }
    return made;
  };
  const auto values = [&](const double* field, index_t z, std::size_t c) {
    numbers component(nodes), made(points);
    for (std::size_t i = 0; i < nodes; ++i)
      component[i] = field[in.nodes.number[i + nodes * std::size_t(z)] + in.nodes.count * index_t(c)];
    loops.values(component.data(), made.data());
    return made;
  };
  plain_forces made{.forces = numbers(std::size_t(in.kinematic())),
                    .power = numbers(std::size_t(in.thermodynamic())),
                    .rates = numbers(std::size_t(in.zones))};
  for (index_t z = 0; z < in.zones; ++z) {
    const fields J = gradients(x, z), dv = gradients(v, z), dw = gradients(w, z);
    numbers energy(points), sums(points), out(nodes);
    energy_loops.values(e + in.energies * z, energy.data());
    fields stress = J;
    for (std::size_t k = 0; k < points; ++k) {
      const std::size_t at = k + points * std::size_t(z);
      hydro::gas_at_point<dim> is{.jacobian = {},
                                  .velocity_gradient = {},
                                  .start_inverse = {},
                                  .energy = energy[k],
                                  .mass = in.mass[at] / in.weights[k],
                                  .weight = in.weights[k],
                                  .gamma = in.gamma[std::size_t(z)]};
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) {
          is.jacobian[index_t(c)][g] = J[c][g][k];
          is.velocity_gradient[index_t(c)][g] = dv[c][g][k];
          is.start_inverse[index_t(c)][g] = in.start_inverse_at(z, index_t(k))[c + dim * g];
        }
      const auto force = hydro::force_of<dim, double>(is, rules);
      made.rates[std::size_t(z)] = std::max(made.rates[std::size_t(z)], force.rate);
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) {
          stress[c][g][k] = force.stress[index_t(c)][g];
          sums[k] += force.stress[index_t(c)][g] * dw[c][g][k];
        }
      if (physics.source)
        sums[k] += in.weights[k] * force.determinant *
                   hydro::taylor_green_source(values(x, z, 0)[k], values(x, z, std::size_t(dim) - 1)[k]);
    }
    energy_loops.sums(sums.data(), &made.power[std::size_t(in.energies * z)]);
    for (std::size_t c = 0; c < dim; ++c) {
      std::array<const double*, dim> at{};
      for (std::size_t g = 0; g < dim; ++g) at[g] = stress[c][g].data();
      loops.gradient_sums(at, out.data());
      for (std::size_t i = 0; i < nodes; ++i)
        made.forces[std::size_t(in.nodes.number[i + nodes * std::size_t(z)] + in.nodes.count * index_t(c))] += out[i];
    }
  }
  return made;
}
inline plain_forces plain_forces_of(const gas_case& of, const fem::gas_physics& physics, const double* w) {
  if (of.in.dim == 1) return plain_forces_in<1>(of, physics, w);
  return of.in.dim == 2 ? plain_forces_in<2>(of, physics, w) : plain_forces_in<3>(of, physics, w);
}

/// The largest difference over the largest number; infinite where one is NaN.
inline double far_off(const numbers& found, const numbers& expected) {
  double most = 0, off = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double d = std::abs(found[i] - expected[i]);
    most = std::max(most, std::abs(expected[i]));
    off = std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(off, d);
  }
  return off / most;
}

}  // namespace tessera::testing
