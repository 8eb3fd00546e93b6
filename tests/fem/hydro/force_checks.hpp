// SPDX-License-Identifier: BSD-3-Clause
// Corner forces of a CPU or a GPU against plain loops.
#pragma once

#include "gas_case.hpp"
#include "placed.hpp"
#include "testing/catch.hpp"

namespace tessera::testing {

struct found_forces {
  numbers forces, power, rates;
  highest_rate highest{};
};

/// By one call with what is wanted; results that are not start as NaN and stay so.
inline found_forces forces_found(const gas_case& of, const corner_forces& by, bool forces, bool power, bool other,
                                 bool source = false) {
  const bool there = by.space() == space_kind::gpu;
  const double none = std::nan("");
  const placed<double> state(of.state, there), w(of.other, there);
  const placed<double> f(numbers(std::size_t(by.size()), none), there);
  const placed<double> p(numbers(std::size_t(by.energies()), none), there);
  const placed<double> r(numbers(std::size_t(by.zones()), none), there);
  const double* const x = state.data();
  by.run({.x = x,
          .v = x + of.in.kinematic(),
          .e = x + 2 * of.in.kinematic(),
          .forces = forces ? f.data() : nullptr,
          .power = power ? p.data() : nullptr,
          .w = other ? w.data() : nullptr,
          .source = source,
          .rates = r.data()});
  const highest_rate highest = by.highest(r.data());
  return {f.read(), p.read(), r.read(), highest};
}

inline void check_forces(int dim, const index_t (&cells)[3], const fem::gas_orders& orders, bool bent, space_kind space,
                         fem::gas_physics physics = {}) {
  const gas_case of = drawn_gas(dim, cells, orders, bent);
  const corner_forces by = fem::make_corner_forces(of.in, physics, space);
  INFO(by.describe());
  const double few = 1e-12;
  const double* const v = of.state.data() + of.in.kinematic();
  const plain_forces own = plain_forces_of(of, physics, v), other = plain_forces_of(of, physics, of.other.data());
  for (const bool forces : {true, false})
    for (const bool power : {true, false})
      for (const bool with_other : {false, true}) {
        if (with_other && !power) continue;
        INFO("forces " << forces << ", power " << power << ", of another velocity " << with_other);
        const found_forces found = forces_found(of, by, forces, power, with_other, physics.source);
        if (forces) CHECK(far_off(found.forces, own.forces) < few);
        if (power) CHECK(far_off(found.power, with_other ? other.power : own.power) < few);
        CHECK(far_off(found.rates, own.rates) < few);
        const auto highest = std::max_element(found.rates.begin(), found.rates.end());
        CHECK(found.highest.rate == *highest);
        CHECK(found.highest.zone == highest - found.rates.begin());
        if (!forces) CHECK(std::all_of(found.forces.begin(), found.forces.end(), [](double f) { return f != f; }));
        if (!power) CHECK(std::all_of(found.power.begin(), found.power.end(), [](double p) { return p != p; }));
      }
}

/// Nodes whose components lie side by side, as other codes have them: the same forces, power and rates.
inline void check_side_by_side(int dim, space_kind space) {
  const gas_case of = drawn_gas(dim, {3, 2, 2}, {.velocity = 2, .energy = 1}, true);
  const fem::gas_spaces& in = of.in;
  const index_t n = in.nodes.count;
  std::vector<std::int64_t> offsets;
  for (const std::int64_t number : in.nodes.number) offsets.push_back(dim * number);
  const restriction nodes({.elements = in.zones,
                           .entries = in.zone_nodes,
                           .components = dim,
                           .size = n * dim,
                           .offsets64 = offsets.data(),
                           .component_stride = 1});
  numbers mass = in.mass;
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] /= in.weights[i % std::size_t(in.points)];
  const corner_forces by({.dim = dim,
                          .weights = in.line_weights,
                          .node_values = in.velocity.B,
                          .node_derivatives = in.velocity.G,
                          .energy_values = in.energy.B,
                          .rules = fem::rules_of(in, {}),
                          .gamma = in.gamma,
                          .density_times_det = mass,
                          .start_inverse = in.start_inverse},
                         nodes, space);
  gas_case side_by_side = of;
  const auto changed = [&](const double* from) {
    numbers to(std::size_t(n * dim));
    for (index_t i = 0; i < n; ++i)
      for (index_t c = 0; c < dim; ++c) to[std::size_t(c + dim * i)] = from[i + n * c];
    return to;
  };
  for (const index_t first : {index_t(0), in.kinematic()}) {
    const numbers part = changed(of.state.data() + first);
    std::copy(part.begin(), part.end(), side_by_side.state.begin() + first);
  }
  side_by_side.other = changed(of.other.data());
  const found_forces expected = forces_found(of, fem::make_corner_forces(in, {}, space), true, true, true);
  const found_forces found = forces_found(side_by_side, by, true, true, true);
  CHECK(far_off(found.forces, changed(expected.forces.data())) < 1e-14);
  CHECK(far_off(found.power, expected.power) < 1e-14);
  CHECK(far_off(found.rates, expected.rates) < 1e-14);
}

}  // namespace tessera::testing
