// SPDX-License-Identifier: BSD-3-Clause
// Counts of the suite hydro, against counts by hand for one order, and the bounds that follow.
#include "hydro/gas_sizes.hpp"

#include "hydro/gas_movement.hpp"
#include "hydro/phase_work.hpp"
#include "testing/catch.hpp"

using namespace tessera;
namespace bench = tessera::bench;
using bench::gas_phase;

TEST_CASE("a box of moving zones of order 2 in 3-D has these counts") {
  // 3 nodes, 2 energies and 4 points a direction.
  const bench::gas_sizes s{.dim = 3, .order = 2, .cells = 3};
  CHECK(s.zones() == 27);
  CHECK(s.nodes() == 343);
  CHECK(s.kinematic() == 1029);
  CHECK(s.thermodynamic() == 216);
  CHECK(s.points() == 1728);
  // To a plane: values and slopes; to its lines: three of these; to points: three derivatives.
  const double gradient = 2 * (2 * 4 * 27 + 3 * 16 * 9 + 3 * 64 * 3), value = 2 * (4 * 8 + 16 * 4 + 64 * 2);
  CHECK(s.gradient_flops() == 27 * gradient);
  CHECK(s.value_flops() == 27 * value);
  CHECK(s.contraction_flops() == 27 * (9 * gradient + 2 * value));
  // Values of three components to the points and back, and a product at each of them.
  CHECK(s.velocity_mass_flops() == 27 * 3 * (2 * 2 * (4 * 27 + 16 * 9 + 64 * 3) + 64));
  CHECK(s.energy_solve_flops() == 27 * 2 * 8 * 8);
  CHECK(s.list_bytes() == 4 * 27 * 27);
  CHECK(s.kept_bytes() == 8 * (1728 + 9 * 27 + 27));
  CHECK(s.read_bytes(false) == 8 * (2 * 1029 + 216));
  CHECK(s.read_bytes(true) == 8 * (3 * 1029 + 216));
  CHECK(s.written_bytes(true) == 8 * (1029 + 216 + 27));
  CHECK(s.written_bytes(false) == 8 * 216);
  CHECK(s.factor_bytes() == 27 * 8 * 36);
  const bench::gas_sizes bent{.dim = 3, .order = 2, .cells = 3, .bent_start = true};
  CHECK(bent.kept_bytes() == 8 * (1728 + 9 * 1728 + 27));
}

TEST_CASE("a box of moving zones of order 3 in 2-D has these counts") {
  const bench::gas_sizes s{.dim = 2, .order = 3, .cells = 5};
  const double gradient = 2 * (2 * 6 * 16 + 2 * 36 * 4), value = 2 * (6 * 9 + 36 * 3);
  CHECK(s.contraction_flops() == 25 * (6 * gradient + 2 * value));
  CHECK(s.velocity_mass_flops() == 25 * 2 * (2 * 2 * (6 * 16 + 36 * 4) + 36));
  CHECK(s.nodes() == 256);
  CHECK(s.kept_bytes() == 8 * (25 * 36 + 4 * 25 + 25));
}

TEST_CASE("boxes have nearly the points that are asked for") {
  CHECK(bench::gas_sizes_for(3, 2, 4e6, false).cells == 40);
  CHECK(bench::gas_sizes_for(2, 4, 1e4, true).cells == 13);
  CHECK(bench::gas_sizes_for(2, 4, 1e4, true).bent_start);
  CHECK(bench::gas_sizes_for(3, 8, 1, false).cells == 1);
}

TEST_CASE("phases move what they read and write once") {
  const bench::gas_sizes s{.dim = 3, .order = 2, .cells = 3};
  const double list = 4 * 27 * 27, kept = 8 * (1728 + 9 * 27 + 27);
  const bench::phase_work forces = work_of(s, gas_phase::forces, true, true);
  CHECK(forces.bytes() == list + kept + 8 * (3 * 1029 + 2 * 216 + 27));
  CHECK(forces.footprint == forces.bytes());
  CHECK(forces.points == 1728);
  CHECK(work_of(s, gas_phase::forces, true, false).bytes() == forces.bytes() - list);
  CHECK(work_of(s, gas_phase::power, true, true).bytes() == list + kept + 8 * (3 * 1029 + 2 * 216));
  const bench::phase_work velocity = work_of(s, gas_phase::velocity, true, true);
  CHECK(velocity.bytes() == list + 8 * 1728 + 12 * 8 * 1029);
  CHECK(velocity.footprint == list + 8 * 1728 + 5 * 8 * 1029);
  const bench::phase_work energy = work_of(s, gas_phase::energy, true, true);
  CHECK(energy.bytes() == 8 * 27 * 36 + 2 * 8 * 216);
  CHECK(work_of(s, gas_phase::energy, false, true).bytes() == 8 * 1728 + 2 * 8 * 216);
  const bench::phase_work step = work_of_step(s, forces, velocity, energy, 50);
  // v copied and -F four times, three sums of two states, one of five.
  const double sums = 8 * (4 * (2 + 2) * 1029 + (3 * 3 + 6) * (2 * 1029 + 216));
  CHECK(step.bytes() == 4 * (forces.bytes() + energy.bytes()) + 50 * velocity.bytes() + sums);
  CHECK(step.flops == 4 * (forces.flops + energy.flops) + 50 * velocity.flops);

  const bench::gas_movement moved(forces.kept, forces.read, forces.written);
  CHECK(std::abs(moved.bytes() - forces.bytes()) < 8);  // the list is not a number of doubles
}

TEST_CASE("the bound of a phase is the longest of movement, contractions and the point function") {
  bench::setting s;
  s.on = default_cpu_target();
  s.peak = 1e9;
  const bench::phase_work work{
      .kept = 600, .read = 300, .written = 100, .footprint = 1000, .flops = 2000, .points = 50};
  std::vector<bench::timing> times(2);
  times[1].seconds.median = 5e-6;
  const bench::bound by_movement = phase_bound(work, times, 0, s);
  CHECK(by_movement.by == std::string("bandwidth"));
  CHECK(by_movement.seconds == 5e-6);
  CHECK(by_movement.bandwidth == 1000 / 5e-6);
  times[1].seconds.median = 1e-6;
  CHECK(phase_bound(work, times, 0, s).by == std::string("flops"));
  CHECK(phase_bound(work, times, 1e9, s).seconds == 2000 / 1e9);
  const bench::bound by_points = phase_bound(work, times, 1e7, s);
  CHECK(by_points.by == std::string("points"));
  CHECK(by_points.seconds == 50 / 1e7);
  CHECK(by_points.honest == 1);

  const bench::gas_sizes box{.dim = 2, .order = 1, .cells = 2};
  const bench::bound step = step_bound(box, by_movement, by_points, by_movement, 10);
  const double sums = box.step_sum_bytes() / by_movement.bandwidth;
  CHECK(std::abs(step.seconds / (8 * 5e-6 + 10 * 5e-6 + sums) - 1) < 1e-12);
  CHECK(step.by == std::string("phases"));
}
