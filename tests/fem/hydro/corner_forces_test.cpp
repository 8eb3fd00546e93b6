// SPDX-License-Identifier: BSD-3-Clause
// Corner forces on a CPU: against plain loops, the same bits for any number of threads, mistakes.
#include <omp.h>

#include <tessera/error.hpp>

#include "force_checks.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("corner forces and their power are those of plain loops", "[hydro]") {
  for (const int dim : {1, 2, 3})
    for (int k = 1; k <= 8; ++k) {
      if (dim == 3 && k > 5) continue;
      for (const bool bent : {false, true}) {
        INFO(dim << "-D, order " << k << (bent ? ", bent" : ""));
        check_forces(dim, {3, dim == 3 ? 1 : 3, k < 4 ? 3 : 1}, {.velocity = k, .energy = k - 1}, bent,
                     space_kind::cpu);
      }
    }
}

TEST_CASE("corner forces in 3-D of orders 6 to 8", "[hydro]") {
  for (const int k : {6, 7, 8}) {
    INFO("order " << k);
    check_forces(3, {2, 1, 1}, {.velocity = k, .energy = k - 1}, true, space_kind::cpu);
  }
}

TEST_CASE("corner forces of other orders, rules and physics", "[hydro]") {
  for (const int dim : {1, 2, 3}) {
    INFO(dim << "-D");
    check_forces(dim, {2, 2, 2}, {.velocity = 1, .energy = 2}, true, space_kind::cpu);
    check_forces(dim, {2, 2, 2}, {.velocity = 2, .energy = 0, .rule = 9}, true, space_kind::cpu);
    check_forces(dim, {2, 2, 1}, {.velocity = 3, .energy = 3, .rule = 6}, false, space_kind::cpu, {.viscous = false});
    check_forces(dim, {2, 2, 2}, {.velocity = 2, .energy = 1}, true, space_kind::cpu, {.vorticity = true});
  }
  check_forces(2, {3, 2, 1}, {.velocity = 3, .energy = 2}, true, space_kind::cpu, {.viscous = false, .source = true});
}

TEST_CASE("corner forces of nodes with components side by side", "[hydro]") {
  for (const int dim : {1, 2, 3}) check_side_by_side(dim, space_kind::cpu);
}

TEST_CASE("Jacobians at the start: one a zone, or one a point", "[hydro]") {
  for (const int dim : {1, 2, 3}) {
    const fem::gas_material one{.density = [](index_t, const fem::point&) { return 1.0; },
                                .gamma = [](index_t, const fem::point&) { return 1.4; }};
    const fem::gas_spaces straight = drawn_gas(dim, {3, 2, 2}, {.velocity = 2, .energy = 1}, false).in;
    fem::gas_nodes nodes = straight.nodes;
    const index_t last = straight.zones - 1, middle = straight.zone_nodes / 2;
    nodes.coordinates[std::size_t(nodes.number[std::size_t(middle + straight.zone_nodes * last)])] += 0.05;
    const fem::gas_spaces bent = fem::make_gas_spaces(dim, nodes, one, {.velocity = 2, .energy = 1});
    const index_t n = dim * dim;
    CHECK(index_t(straight.start_inverse.size()) == n * straight.zones);
    CHECK(index_t(bent.start_inverse.size()) == n * straight.zones * straight.points);
    double off = 0, turned = 0;
    for (index_t z = 0; z < straight.zones; ++z)
      for (index_t k = 0; k < straight.points; ++k)
        for (index_t i = 0; i < n; ++i)
          (z == last ? turned : off) = std::max(
              z == last ? turned : off, std::abs(bent.start_inverse_at(z, k)[i] - straight.start_inverse_at(z, k)[i]));
    CHECK(off < 1e-13);
    CHECK(turned > 0.01);
  }
}

TEST_CASE("corner forces are the same bits for any number of threads", "[hydro]") {
  const gas_case of = drawn_gas(3, {5, 4, 3}, {.velocity = 2, .energy = 1}, true);
  const corner_forces by = fem::make_corner_forces(of.in, {}, space_kind::cpu);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const found_forces one = forces_found(of, by, true, true, true);
  omp_set_num_threads(3);
  const found_forces three = forces_found(of, by, true, true, true);
  omp_set_num_threads(threads);
  CHECK(one.forces == three.forces);
  CHECK(one.power == three.power);
  CHECK(one.rates == three.rates);
}

TEST_CASE("rates are kept where they are higher", "[hydro]") {
  const gas_case of = drawn_gas(2, {3, 3, 1}, {.velocity = 2, .energy = 1}, true);
  const corner_forces by = fem::make_corner_forces(of.in, {}, space_kind::cpu);
  numbers rates = forces_found(of, by, false, true, false).rates;
  const numbers before = rates;
  rates[0] = 1e9;
  rates[1] = 0;
  const double* const x = of.state.data();
  by.run({.x = x,
          .v = x + of.in.kinematic(),
          .e = x + 2 * of.in.kinematic(),
          .rates = rates.data(),
          .highest_rates = true});
  CHECK(rates[0] == 1e9);
  CHECK(rates[1] == before[1]);
  CHECK(by.highest(rates.data()).zone == 0);
}

TEST_CASE("a tangled zone allows no step, and is named", "[hydro]") {
  gas_case of = drawn_gas(3, {3, 1, 1}, {.velocity = 1, .energy = 0}, false);
  const corner_forces by = fem::make_corner_forces(of.in, {}, space_kind::cpu);
  // A corner of the last zone alone, drawn through its opposite one.
  of.state[3] = -5;
  const found_forces found = forces_found(of, by, true, true, false);
  CHECK(found.highest.rate == hydro::tangled_rate);
  CHECK(found.highest.zone == 2);
  const fem::point_limit there = fem::limit_in_zone(of.in, {}, of.state.data(), 2);
  CHECK(there.rate == hydro::tangled_rate);
  CHECK(there.determinant < 0);
}

TEST_CASE("mistakes in corner forces are named", "[hydro]") {
  const gas_case of = drawn_gas(2, {2, 2, 1}, {.velocity = 2, .energy = 1}, false);
  const restriction nodes = of.in.unknowns(2, false);
  const corner_forces_spec good{.dim = 2,
                                .weights = of.in.line_weights,
                                .node_values = of.in.velocity.B,
                                .node_derivatives = of.in.velocity.G,
                                .energy_values = of.in.energy.B,
                                .gamma = of.in.gamma,
                                .density_times_det = of.in.mass,  // of any positive numbers
                                .start_inverse = of.in.start_inverse};
  CHECK_NOTHROW(corner_forces(good, nodes));
  const auto refused = [&](const auto& change, const std::string& words, const restriction& by) {
    corner_forces_spec spec = good;
    change(spec);
    try {
      const corner_forces made(spec, by);
      FAIL("not refused: " << words);
    } catch (const error& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(words) != std::string::npos);
    }
  };
  refused([](auto& s) { s.dim = 4; }, "4 dimensions", nodes);
  refused([](auto& s) { s.dim = 3; }, "2 components in 3 dimensions", nodes);
  refused([](auto& s) { s.weights = {}; }, "0 points", nodes);
  refused([](auto& s) { s.node_values = s.node_values.first(7); }, "7 entries", nodes);
  refused([](auto& s) { s.node_derivatives = s.node_derivatives.first(8); }, "8 entries", nodes);
  refused([](auto& s) { s.energy_values = {}; }, "energy_values has 0", nodes);
  refused([](auto& s) { s.node_values = s.node_derivatives = s.node_values.first(8); }, "9 nodes", nodes);
  refused([](auto& s) { s.gamma = s.gamma.first(3); }, "gamma of 3 zones, not of 4", nodes);
  refused([](auto& s) { s.density_times_det = s.density_times_det.first(63); }, "63 numbers, not 64", nodes);
  refused([](auto& s) { s.start_inverse = s.start_inverse.first(15); }, "15 numbers, not 16 of zones or 256", nodes);
  refused([](auto& s) { s.rules.length = -1; }, "length -1.0", nodes);
  refused([](auto& s) { s.rules.order = 0; }, "order 0", nodes);
  refused([](auto&) {}, "1 components in 2 dimensions", of.in.unknowns(1, false));
  numbers gamma = of.in.gamma;
  gamma[2] = 0.9;
  refused([&](auto& s) { s.gamma = gamma; }, "gamma of zone 2 is 0.9", nodes);

  const corner_forces by(good, nodes);
  CHECK_THROWS(by.run({}));
  CHECK_THROWS(by.highest(nullptr));
  const gas_case cube = drawn_gas(3, {1, 1, 1}, {.velocity = 1, .energy = 0}, false);
  numbers power(1);
  const double* const x = cube.state.data();
  CHECK_THROWS(fem::make_corner_forces(cube.in, {}, space_kind::cpu)
                   .run({.x = x, .v = x, .e = x, .power = power.data(), .source = true}));
  // Results over what is read, or over each other.
  numbers state = cube.state;
  double* const at = state.data();
  const force_call apart{.x = at, .v = at + 24, .e = at + 48};
  const corner_forces of_cube = fem::make_corner_forces(cube.in, {}, space_kind::cpu);
  const auto overlaps = [&](const auto& change, const std::string& words) {
    force_call call = apart;
    change(call);
    CHECK_THROWS_WITH(of_cube.run(call), Catch::Contains(words + " overlap"));
  };
  overlaps([&](force_call& c) { c.forces = at + 23; }, "forces and x");
  overlaps([&](force_call& c) { c.power = at + 48; }, "power and e");
  overlaps([&](force_call& c) { c.rates = at + 24; }, "rates and v");
  overlaps([&](force_call& c) { c.power = c.rates = power.data(); }, "power and rates");
  CHECK(state == cube.state);
  if (!device::available()) CHECK_THROWS(corner_forces(good, nodes, space_kind::gpu));
}
