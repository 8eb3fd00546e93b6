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

}  // namespace tessera::testing
