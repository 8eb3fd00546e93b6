// SPDX-License-Identifier: BSD-3-Clause
// Cases of the suite hydro: right results pass the checks of all phases, others do not.
#include "hydro/gas_case.hpp"

#include <limits>

#include "testing/catch.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace bench = tessera::bench;
using bench::gas_phase;

namespace {

void check_phases(const bench::gas_sizes& sizes, space_kind space) {
  INFO(sizes.dim << "-D, order " << sizes.order << ", " << sizes.zones() << " zones");
  bench::gas_case c(sizes, space);
  for (const gas_phase phase : bench::gas_phases_of_a_step) {
    INFO(name_of(phase) << ": " << c.describe(phase));
    c.run(phase);
    const std::vector<double> found = c.found(phase);
    const bench::verdict right = c.check(phase, found);
    INFO(right.error << " of " << right.bound);
    CHECK(right.correct());
    CHECK((phase == gas_phase::step || right.error > 0));  // a step repeats the bits of its phases
    // A number of the first zone and of the last one, whose power and rates are the last numbers.
    for (const std::size_t i : {std::size_t(0), found.size() - 1}) {
      std::vector<double> wrong(found);
      wrong[i] += 1e-3 * (1 + std::abs(wrong[i]));
      CHECK(!c.check(phase, wrong).correct());
      wrong[i] = std::numeric_limits<double>::quiet_NaN();
      CHECK(!c.check(phase, wrong).correct());
    }
    if (phase != gas_phase::velocity) continue;
    CHECK(c.iterations() >= sizes.dim);
    std::vector<double> nearly(found);
    for (double& each : nearly) each *= 1 + 1e-6;
    CHECK(!c.check(phase, nearly).correct());
  }
}

}  // namespace

TEST_CASE("phases of hydrodynamics pass their checks, and others do not") {
  check_phases({.dim = 3, .order = 1, .cells = 4}, space_kind::cpu);
  check_phases({.dim = 3, .order = 2, .cells = 3}, space_kind::cpu);
  check_phases({.dim = 3, .order = 3, .cells = 2, .bent_start = true}, space_kind::cpu);
  check_phases({.dim = 2, .order = 2, .cells = 5, .bent_start = true}, space_kind::cpu);
  check_phases({.dim = 2, .order = 4, .cells = 3}, space_kind::cpu);
}

TEST_CASE("energies of more than 128 a zone are solved by iterations") {
  check_phases({.dim = 3, .order = 6, .cells = 1}, space_kind::cpu);
  CHECK(!bench::gas_case({.dim = 3, .order = 6, .cells = 1}, space_kind::cpu).has_factors());
  CHECK(bench::gas_case({.dim = 3, .order = 5, .cells = 1}, space_kind::cpu).has_factors());
}

TEST_CASE("phases of hydrodynamics pass their checks on a GPU", "[gpu]") {
  if (no_gpu()) return;
  check_phases({.dim = 3, .order = 2, .cells = 3}, space_kind::gpu);
  check_phases({.dim = 2, .order = 3, .cells = 4, .bent_start = true}, space_kind::gpu);
}

TEST_CASE("zones around a zone") {
  const bench::gas_sizes cube{.dim = 3, .order = 1, .cells = 4}, square{.dim = 2, .order = 1, .cells = 3};
  CHECK(zones_around(cube, 0) == std::vector<index_t>{0, 1, 4, 5, 16, 17, 20, 21});
  CHECK(zones_around(cube, 21).size() == 27);
  CHECK(zones_around(cube, 63).size() == 8);
  CHECK(zones_around(square, 4).size() == 9);
  CHECK(zones_around(square, 8) == std::vector<index_t>{4, 5, 7, 8});
}

TEST_CASE("no zone of the box is as it was at the start") {
  for (const bool bent : {false, true}) {
    const bench::gas_sizes s{.dim = 3, .order = 2, .cells = 4, .bent_start = bent};
    const bench::gas_box box = make_gas_box(s);
    CHECK(std::abs(box.in.volume - 1) < 1e-12);
    for (index_t z = 0; z < s.zones(); ++z) {
      double most = 0;
      for (index_t i = 0; i < s.zone_nodes(); ++i) {
        const std::size_t k = std::size_t(box.in.nodes.number[std::size_t(i + s.zone_nodes() * z)]);
        most = std::max(most, std::abs(box.state[k] - box.in.nodes.coordinates[k]));
      }
      CHECK(most > 1e-4);
    }
    // Walls stay planes, and the gas does not cross them.
    for (const index_t k : box.in.nodes.walls) {
      CHECK(std::abs(box.state[std::size_t(k)] - box.in.nodes.coordinates[std::size_t(k)]) < 1e-15);
      CHECK(std::abs(box.state[std::size_t(k + s.kinematic())]) < 1e-15);
    }
    CHECK(box.in.nodes.walls.size() == std::size_t(3 * 2 * 9 * 9));
  }
}
