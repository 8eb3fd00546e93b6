// SPDX-License-Identifier: BSD-3-Clause
// Corner forces on a GPU: against plain loops, the same bits in every run.
#include <tessera/error.hpp>

#include "force_checks.hpp"
#include "run_case.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("corner forces on a GPU are those of plain loops", "[hydro][gpu]") {
  if (absent()) return;
  for (const int dim : {1, 2, 3})
    for (int k = 1; k <= 8; ++k) {
      INFO(dim << "-D, order " << k);
      check_forces(dim, {7, dim > 1 ? 3 : 1, k < 4 ? 3 : 1}, {.velocity = k, .energy = k - 1}, k % 2 == 0,
                   space_kind::gpu);
    }
}

TEST_CASE("corner forces of other orders, rules and physics on a GPU", "[hydro][gpu]") {
  if (absent()) return;
  for (const int dim : {1, 2, 3}) {
    INFO(dim << "-D");
    check_forces(dim, {2, 2, 2}, {.velocity = 1, .energy = 2}, true, space_kind::gpu);
    check_forces(dim, {2, 2, 2}, {.velocity = 2, .energy = 0, .rule = 9}, true, space_kind::gpu);
    check_forces(dim, {2, 2, 1}, {.velocity = 3, .energy = 3, .rule = 6}, false, space_kind::gpu, {.viscous = false});
  }
  check_forces(2, {3, 2, 1}, {.velocity = 3, .energy = 2}, true, space_kind::gpu, {.viscous = false, .source = true});
}

TEST_CASE("corner forces on a GPU of nodes with components side by side", "[hydro][gpu][sanitize]") {
  if (absent()) return;
  for (const int dim : {1, 2, 3}) check_side_by_side(dim, space_kind::gpu);
}

TEST_CASE("corner forces on a GPU are the same bits in every run", "[hydro][gpu][sanitize]") {
  if (absent()) return;
  const gas_case of = drawn_gas(3, {5, 3, 2}, {.velocity = 2, .energy = 1}, true);
  const corner_forces by = fem::make_corner_forces(of.in, {}, space_kind::gpu);
  const found_forces one = forces_found(of, by, true, true, true), two = forces_found(of, by, true, true, true);
  CHECK(one.forces == two.forces);
  CHECK(one.power == two.power);
  CHECK(one.rates == two.rates);
  CHECK(far_off(one.forces, plain_forces_of(of, {}, of.other.data()).forces) < 1e-12);
}

TEST_CASE("corner forces of small zones on a GPU", "[hydro][gpu][sanitize]") {
  if (absent()) return;
  check_forces(1, {5, 1, 1}, {.velocity = 3, .energy = 2}, true, space_kind::gpu);
  check_forces(2, {5, 2, 1}, {.velocity = 2, .energy = 1}, true, space_kind::gpu);
  check_forces(3, {3, 1, 1}, {.velocity = 4, .energy = 3}, false, space_kind::gpu);
}

TEST_CASE("corner forces on a GPU do not depend on what ran before", "[hydro][gpu]") {
  if (absent()) return;
  for (const index_t zones : {5, 6, 7, 9})
    for (const int k : {2, 3, 4}) {
      INFO(zones << " zones, order " << k);
      const gas_case of = drawn_gas(3, {zones, 1, 1}, {.velocity = k, .energy = k - 1}, false);
      const corner_forces by = fem::make_corner_forces(of.in, {}, space_kind::gpu);
      gas_case none = of;
      std::fill(none.state.begin(), none.state.end(), std::nan(""));
      CHECK(forces_found(none, by, true, true, false).highest.rate == hydro::tangled_rate);
      const plain_forces wanted = plain_forces_of(of, {}, of.state.data() + of.in.kinematic());
      const found_forces found = forces_found(of, by, true, true, false);
      CHECK(far_off(found.forces, wanted.forces) < 1e-12);
      CHECK(far_off(found.power, wanted.power) < 1e-12);
      CHECK(far_off(found.rates, wanted.rates) < 1e-12);
    }
}

TEST_CASE("a zone that is tangled is named on a GPU, too", "[hydro][gpu]") {
  if (absent()) return;
  const run_case of = hot_corner(3, {7, 1, 1}, {.velocity = 2, .energy = 1});
  for (const std::size_t zone : {0u, 2u, 6u}) {
    numbers start = of.start;
    start[std::size_t(2 * of.in.kinematic()) + 8 * zone + 3] = std::nan("");
    try {
      const fem::gas_run run(of.in, {}, start, {.space = space_kind::gpu});
      FAIL("a gas without numbers started");
    } catch (const error& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find("zone " + std::to_string(zone) + " ") != std::string::npos);
    }
  }
}

TEST_CASE("corner forces on a GPU refuse vectors of the host", "[hydro][gpu]") {
  if (absent()) return;
  const gas_case of = drawn_gas(3, {1, 1, 1}, {.velocity = 1, .energy = 0}, false);
  const corner_forces by = fem::make_corner_forces(of.in, {}, space_kind::gpu);
  const double* const x = of.state.data();
  CHECK_THROWS(by.run({.x = x, .v = x, .e = x}));
  CHECK_THROWS(by.highest(x));
}

TEST_CASE("corner forces of many zones on a GPU are those of a CPU", "[hydro][gpu][.big]") {
  if (absent()) return;
  for (const auto& [cells, k] : {std::pair<index_t, int>{31, 2}, {17, 3}, {13, 4}}) {
    const gas_case of = drawn_gas(3, {cells, cells, cells}, {.velocity = k, .energy = k - 1}, k == 3);
    const corner_forces here = fem::make_corner_forces(of.in, {}, space_kind::cpu);
    const corner_forces there = fem::make_corner_forces(of.in, {}, space_kind::gpu);
    INFO(there.describe());
    const found_forces wanted = forces_found(of, here, true, true, false);
    const found_forces found = forces_found(of, there, true, true, false);
    CHECK(far_off(found.forces, wanted.forces) < 1e-12);
    CHECK(far_off(found.power, wanted.power) < 1e-12);
    CHECK(far_off(found.rates, wanted.rates) < 1e-12);
    CHECK(found.highest.zone == wanted.highest.zone);
  }
}
