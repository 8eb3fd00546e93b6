// SPDX-License-Identifier: BSD-3-Clause
// Masses and runs of a gas on a CPU: solves, what is conserved, restarts, mistakes.
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>

#include <limits>
#include <string>

#include "run_case.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const fem::gas_mass_options tight{.tolerance = 1e-14};

double total_energy(const fem::gas_run& of) {
  const double* const v = of.state() + of.in().kinematic();
  return of.masses().internal_energy(v + of.in().kinematic()) + of.masses().kinetic_energy(v);
}

}  // namespace

TEST_CASE("masses are solved for, all components at once", "[hydro]") {
  for (const int dim : {1, 2, 3})
    for (const int k : {1, 2, 4}) {
      INFO(dim << "-D, order " << k);
      const run_case of = hot_corner(dim, {3, 2, 2}, {.velocity = k, .energy = k - 1});
      const fem::gas_spaces& in = of.in;
      fem::gas_masses masses(in, tight, space_kind::cpu);
      // M a of what has 0 at walls, and back.
      const gas_case drawn = drawn_gas(dim, {3, 2, 2}, {.velocity = k, .energy = k - 1}, false);
      numbers a = drawn.other, b(a.size()), found(a.size());
      for (const index_t wall : in.nodes.walls) a[std::size_t(wall)] = 0;
      const fem::global_operator<double> M(dim, in.exact_density.data(), in.unknowns(dim, false),
                                           {.kind = operator_kind::mass,
                                            .trial = {fem::basis_kind::gauss_lobatto, k},
                                            .components = dim,
                                            .points = in.line_points});
      M.apply(a.data(), b.data());
      masses.solve_velocity(b.data(), found.data());
      CHECK(far_off(found, a) < 1e-12);
      CHECK(masses.velocity_iterations() > 0);
      CHECK(masses.failures() == 0);
      for (const index_t wall : in.nodes.walls) CHECK(found[std::size_t(wall)] == 0);

      numbers r(std::size_t(in.thermodynamic())), by_factors(r.size()), by_iterations(r.size());
      for (std::size_t i = 0; i < r.size(); ++i) r[i] = std::sin(double(i));
      masses.solve_energy(r.data(), by_factors.data());
      fem::gas_masses other(in, {.tolerance = 1e-14, .energy = fem::energy_solver::conjugate_gradients},
                            space_kind::cpu);
      other.solve_energy(r.data(), by_iterations.data());
      CHECK(far_off(by_iterations, by_factors) < 1e-11);
      // Of energies that are 1: the mass, which is the volume here.
      const numbers ones(r.size(), 1.0);
      CHECK(std::abs(masses.internal_energy(ones.data()) - in.volume) < 1e-12 * in.volume);
      const numbers unit(std::size_t(in.kinematic()), 1.0);
      CHECK(std::abs(masses.kinetic_energy(unit.data()) - dim * in.volume / 2) < 1e-12 * in.volume);
      CHECK(std::abs(masses.momentum(unit.data(), dim - 1) - in.volume) < 1e-12 * in.volume);
    }
}

TEST_CASE("more energies than Cholesky takes are solved for by few iterations", "[hydro]") {
  gas_case of = drawn_gas(3, {2, 1, 1}, {.velocity = 6, .energy = 5}, true);
  REQUIRE(of.in.energies == 216);
  fem::gas_masses masses(of.in, {.most_iterations = 40}, space_kind::cpu);
  INFO(masses.describe_energy_solver());
  // M e of a mass operator, and back.
  const fem::element_operator<double> M(
      3, of.in.zones, of.in.exact_density.data(),
      {.kind = operator_kind::mass, .trial = {fem::basis_kind::bernstein, 5}, .points = of.in.line_points});
  numbers e(of.state.end() - of.in.thermodynamic(), of.state.end()), r(e.size()), found(e.size());
  M.apply(e.data(), r.data());
  masses.solve_energy(r.data(), found.data());
  CHECK(masses.failures() == 0);
  CHECK(far_off(found, e) < 1e-7);  // Bernstein polynomials of order 5 in 3-D: the condition is 10^7
  numbers back(r.size());
  M.apply(found.data(), back.data());
  CHECK(far_off(back, r) < 1e-13);
}

TEST_CASE("a run with the averaged method keeps the total energy", "[hydro]") {
  for (const int dim : {1, 2, 3}) {
    INFO(dim << "-D");
    const run_case of = hot_corner(dim, {3, 2, 2}, {.velocity = 2, .energy = 1});
    const fem::gas_spaces& spaces = of.in;
    const numbers& start = of.start;
    // snippet run
    // spaces: make_gas_spaces(dim, nodes, {.density = ..., .gamma = ...}, {.velocity = 2, .energy = 1}).
    // start: x and v, component after component, then e, zone after zone.
    fem::gas_run run(spaces, {.viscous = true}, start,
                     {.method = fem::gas_method::rk2_average, .final_time = 0.3, .masses = {.tolerance = 1e-14}});
    const double before = total_energy(run);
    while (!run.finished()) run.step();
    // end snippet
    CHECK(run.time() == 0.3);
    CHECK(run.steps() > 3);
    CHECK(std::abs(total_energy(run) - before) < 1e-12 * before);
    CHECK(run.masses().kinetic_energy(run.state() + of.in.kinematic()) > 1e-3);
  }
}

TEST_CASE("methods agree to their orders", "[hydro]") {
  const run_case of = hot_corner(2, {2, 2, 1}, {.velocity = 2, .energy = 1});
  const auto state_by = [&](fem::gas_method method, int steps) {
    fem::gas_masses masses(of.in, tight, space_kind::cpu);
    fem::gas_motion motion(of.in, {.viscous = false}, method, masses, space_kind::cpu);
    numbers x = of.start, next(x.size());
    for (int i = 0; i < steps; ++i) {
      motion.advance(x.data(), 0.2 / steps, next.data());
      x.swap(next);
    }
    return x;
  };
  using enum fem::gas_method;
  const numbers exact = state_by(rk6, 40);
  for (const auto& [method, order] :
       {std::pair{euler, 1}, {midpoint, 2}, {ssp3, 3}, {rk4, 4}, {rk6, 6}, {rk2_average, 2}}) {
    const double coarse = far_off(state_by(method, 4), exact), fine = far_off(state_by(method, 8), exact);
    INFO("order " << order << ": " << coarse << " and " << fine);
    CHECK(std::log2(coarse / fine) > order - 0.4);
  }
}

TEST_CASE("runs in 3-D of orders 5 to 8: the energy's mass by zone and by iterations over all", "[hydro]") {
  for (const int k : {5, 6, 7, 8}) {
    INFO("order " << k);
    const run_case of = hot_corner(3, {2, 1, 1}, {.velocity = k, .energy = k - 1});
    const auto state_by = [&](fem::energy_solver energy) {
      fem::gas_run run(of.in, {}, of.start,
                       {.method = fem::gas_method::midpoint,
                        .final_time = 0.1,
                        .cfl = 0.2,
                        .masses = {.tolerance = 1e-14, .most_iterations = 5000, .energy = energy}});
      const double before = total_energy(run);
      for (int i = 0; i < 2; ++i) run.step();
      CHECK(run.masses().failures() == 0);
      CHECK(std::abs(total_energy(run) - before) < 3e-6 * before);  // what the midpoint rule loses
      return run.state_on_host();
    };
    const numbers exact = state_by(fem::energy_solver::exact);
    if (k == 8) break;  // 5000 iterations without a preconditioner are too few
    const numbers other = state_by(fem::energy_solver::conjugate_gradients);
    const index_t kinematic = 2 * of.in.kinematic();
    const auto values_of = [&](const numbers& state) {
      return fem::energy_at_nodes(of.in, k, {state.begin() + kinematic, state.end()});
    };
    CHECK(far_off(values_of(other), values_of(exact)) < 1e-9);
    CHECK(far_off({other.begin(), other.begin() + kinematic}, {exact.begin(), exact.begin() + kinematic}) < 1e-11);
  }
}

TEST_CASE("steps of one's own: forces are those of the state that is given", "[hydro]") {
  const run_case of = hot_corner(2, {3, 2, 1}, {.velocity = 2, .energy = 1});
  numbers a = of.start, b = of.start;
  for (index_t i = 2 * of.in.kinematic(); i < of.in.state_size(); ++i) b[std::size_t(i)] *= 4;
  for (const fem::gas_method method : {fem::gas_method::rk4, fem::gas_method::rk2_average}) {
    fem::gas_masses masses(of.in, tight, space_kind::cpu);
    const auto motion = [&] { return fem::gas_motion(of.in, {}, method, masses, space_kind::cpu); };
    fem::gas_motion fresh = motion(), used = motion();
    numbers expected(a.size()), found(a.size());
    const double of_a = motion().limit_at(a.data()).rate, of_b = motion().limit_at(b.data()).rate;
    CHECK(of_b > 1.5 * of_a);
    CHECK(used.limit_at(b.data()).rate == of_b);
    CHECK(used.limit_at(a.data()).rate == of_a);
    fresh.advance(b.data(), 1e-3, expected.data());
    used.advance(b.data(), 1e-3, found.data());
    CHECK(found == expected);
    // The forces of the latest limit serve the first stage, which then has no part in the step's limit.
    const long before = used.spent().evaluations;
    used.limit_at(b.data());
    used.advance(b.data(), 1e-3, found.data(), fem::first_stage::is_evaluated);
    CHECK(found == expected);
    used.limit_of_step(found.data());
    // At the limit, in three stages and at the end; the averaged method evaluates the power of both stages on its own.
    CHECK(used.spent().evaluations - before == 5);
  }
}

TEST_CASE("the first stage of a step has no part in its limit where it is evaluated", "[hydro]") {
  // Without viscosity the highest rate falls, since the hot gas expands and cools.
  const run_case of = hot_corner(2, {3, 2, 1}, {.velocity = 2, .energy = 1});
  for (const fem::gas_method method : {fem::gas_method::rk4, fem::gas_method::rk2_average}) {
    fem::gas_masses masses(of.in, tight, space_kind::cpu);
    fem::gas_motion motion(of.in, {.viscous = false}, method, masses, space_kind::cpu);
    numbers x = of.start, next(x.size());
    for (int i = 0; i < 3; ++i) {
      motion.advance(x.data(), 0.02, next.data());
      x.swap(next);
    }
    const double before = motion.limit_at(x.data()).rate;
    motion.advance(x.data(), 0.02, next.data(), fem::first_stage::is_evaluated);
    CHECK(motion.limit_of_step(next.data()).rate < before);
    motion.advance(x.data(), 0.02, next.data());
    CHECK(motion.limit_of_step(next.data()).rate == before);
  }
}

TEST_CASE("a run goes on from what was kept, bit by bit", "[hydro]") {
  const run_case of = hot_corner(2, {3, 3, 1}, {.velocity = 3, .energy = 2});
  const fem::gas_run_options options{.final_time = 5};
  fem::gas_run whole(of.in, {}, of.start, options), first(of.in, {}, of.start, options),
      second(of.in, {}, of.start, options);
  for (int i = 0; i < 12; ++i) whole.step();
  for (int i = 0; i < 5; ++i) first.step();
  second.go_on_from(first.kept());
  for (int i = 0; i < 7; ++i) second.step();
  CHECK(second.steps() == 12);
  CHECK(second.time() == whole.time());
  CHECK(second.next_dt() == whole.next_dt());
  CHECK(second.state_on_host() == whole.state_on_host());

  // What cannot be gone on from changes nothing.
  const auto refused = [&](const auto& change, const std::string& words) {
    fem::gas_run_state kept = first.kept();
    change(kept);
    CHECK_THROWS_WITH(second.go_on_from(kept), Catch::Contains(words));
    CHECK(second.steps() == 12);
    CHECK(second.state_on_host() == whole.state_on_host());
  };
  const index_t n = of.in.kinematic(), wall = of.in.nodes.walls[3];
  refused([&](auto& kept) { kept.numbers[std::size_t(n + wall)] = 1e-3; }, "which is at a wall");
  refused([](auto& kept) { kept.numbers.back() = std::nan(""); }, "zone 8 is tangled");
  refused([&](auto& kept) { kept.numbers[std::size_t(of.in.nodes.number[5])] += 3; }, "is tangled");
  refused([](auto& kept) { kept.numbers.pop_back(); }, "numbers, not of");
  // Nor the lengths of steps: where rates fall, those that the limit of a step is made of matter.
  const fem::gas_run_options of_one_stage{.method = fem::gas_method::euler, .final_time = 5, .cfl = 0.1};
  fem::gas_run calm(of.in, {.viscous = false}, of.start, of_one_stage),
      disturbed(of.in, {.viscous = false}, of.start, of_one_stage);
  const double first_dt = calm.next_dt();
  numbers none = of.start;
  none.back() = std::nan("");
  for (int i = 0; i < 200 && calm.next_dt() == first_dt; ++i) {
    CHECK_THROWS_WITH(disturbed.go_on_from({.dt = 1, .numbers = none}), Catch::Contains("is tangled"));
    calm.step();
    disturbed.step();
    CHECK(disturbed.next_dt() == calm.next_dt());
  }
  CHECK(calm.next_dt() > first_dt);
  CHECK(disturbed.state_on_host() == calm.state_on_host());
}

TEST_CASE("a step that is too long is repeated, and one that tangles ends the run as it was", "[hydro]") {
  const run_case of = hot_corner(2, {3, 2, 1}, {.velocity = 2, .energy = 1});
  fem::gas_run run(of.in, {}, of.start, {.final_time = 100});
  fem::gas_run_state kept = run.kept();
  const double allowed = kept.dt;
  kept.dt = 30 * allowed;
  run.go_on_from(kept);
  run.step();
  CHECK(run.repeats() > 5);
  CHECK(run.last_dt() < 2 * allowed);
  CHECK(run.time() == run.last_dt());

  // A node of the last zone that goes through its neighbours in a step that must not get shorter.
  kept = fem::gas_run(of.in, {}, of.start, {.final_time = 100}).kept();
  const std::size_t n = std::size_t(of.in.zone_nodes), last = std::size_t(of.in.zones) - 1;
  kept.numbers[std::size_t(of.in.kinematic()) + std::size_t(of.in.nodes.number[4 + n * last])] = 3 / allowed;
  fem::gas_run stiff(of.in, {}, of.start,
                     {.method = fem::gas_method::euler, .final_time = 100, .shortest_step = 0.9 * allowed});
  stiff.go_on_from(kept);
  const numbers before = stiff.state_on_host();
  try {
    stiff.step();
    FAIL("a step was made");
  } catch (const fem::gas_step_crashed& e) {
    const std::string text = e.what();
    INFO(text);
    CHECK(text.find("step 1 at time 0 got shorter") != std::string::npos);
    CHECK(text.find("zone " + std::to_string(last) + " ") != std::string::npos);
    CHECK(text.find("determinant -") != std::string::npos);
  }
  CHECK(stiff.steps() == 0);
  CHECK(stiff.repeats() == 0);
  CHECK(stiff.next_dt() == allowed);
  CHECK(stiff.state_on_host() == before);

  // One that is too short from the first.
  kept = fem::gas_run(of.in, {}, of.start, {.final_time = 100}).kept();
  kept.time = 1;
  kept.dt = 1e-20;
  run.go_on_from(kept);
  CHECK_THROWS_WITH(run.step(), Catch::Contains("step 1 at time 1 would be 9.99"));
}

TEST_CASE("mistakes in a gas are named", "[hydro]") {
  const run_case of = hot_corner(2, {2, 2, 1}, {.velocity = 2, .energy = 1});
  const auto refused = [](const auto& make, const std::string& words) {
    try {
      make();
      FAIL("not refused: " << words);
    } catch (const error& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(words) != std::string::npos);
    }
  };
  const fem::gas_material one{.density = [](index_t, const fem::point&) { return 1.0; },
                              .gamma = [](index_t, const fem::point&) { return 1.4; }};
  const auto spaces_of = [&](const auto& change) {
    return [&] {
      fem::gas_nodes nodes = of.in.nodes;
      fem::gas_orders orders{.velocity = 2, .energy = 1};
      int dim = 2;
      change(nodes, orders, dim);
      fem::make_gas_spaces(dim, nodes, one, orders);
    };
  };
  refused(spaces_of([](auto&, auto&, int& dim) { dim = 4; }), "4 dimensions");
  refused(spaces_of([](auto&, auto& orders, int&) { orders.velocity = 0; }), "order 1 or more");
  refused(spaces_of([](auto&, auto& orders, int&) { orders.rule = 2; }), "2 points in a direction");
  refused(spaces_of([](auto& nodes, auto&, int&) { nodes.number.pop_back(); }), "35 numbers of nodes");
  refused(spaces_of([](auto& nodes, auto&, int&) { nodes.coordinates.pop_back(); }), "49 coordinates");
  refused(spaces_of([](auto& nodes, auto&, int&) { nodes.number[10] = 25; }), "node 1 of zone 1 has number 25");
  refused(spaces_of([](auto& nodes, auto&, int&) { nodes.coordinates[0] = 1.9; }), "zone 0 is tangled");
  refused(spaces_of([](auto& nodes, auto&, int&) {
            nodes.count = 26;
            nodes.coordinates.resize(52);
          }),
          "node 25 is in no zone");
  refused(spaces_of([](auto& nodes, auto&, int&) { nodes.walls.push_back(50); }), "wall 50 is none of the 50");
  refused([&] { fem::gas_run(of.in, {}, of.start, {.final_time = 0}); }, "final time");
  refused([&] { fem::gas_run(of.in, {}, of.start, {.cfl = 0}); }, "CFL");
  refused([&] { fem::gas_run(of.in, {}, of.start, {.cfl = std::numeric_limits<double>::infinity()}); }, "CFL");
  refused([&] { fem::gas_run(of.in, {}, {1, 2}, {}); }, "a state of 2 numbers");
  numbers cold = of.start;
  std::fill(cold.begin() + of.in.kinematic(), cold.end(), 0.0);
  refused([&] { fem::gas_run(of.in, {}, cold, {}); }, "at rest and cold");
  numbers none = of.start;
  none.back() = std::nan("");
  refused([&] { fem::gas_run(of.in, {}, none, {}); }, "zone 3");
  numbers through_wall = of.start;
  through_wall[std::size_t(of.in.kinematic() + of.in.nodes.walls[0])] = 1;
  refused([&] { fem::gas_run(of.in, {}, through_wall, {}); }, "of node 0, which is at a wall");
  const run_case tube = hot_corner(1, {2, 1, 1}, {});
  refused([&] { fem::gas_run(tube.in, {.source = true}, tube.start, {}); }, "2-D");
  refused(
      [&] {
        fem::gas_run(of.in, {.gravity = {0, std::nan(""), 0}}, of.start, {});
      },
      "gravity is nan in direction 1");
  refused([&] { fem::gas_run(of.in, {.gravity = {0, 0, -1}}, of.start, {}); }, "in direction 2 of 2");
  refused([&] { fem::gas_run(of.in, {}, of.start, {.shortest_step = 0}); }, "shortest step");
  refused(spaces_of([](auto&, auto&, int& dim) { dim = -1; }), "-1 dimensions");
  refused(spaces_of([](auto&, auto& orders, int&) { orders.energy = 99; }), "at most 16");
  refused(
      [&] {
        fem::make_gas_spaces(
            2, of.in.nodes,
            {.density = [](index_t z, const fem::point&) { return 2.0 - double(z); }, .gamma = one.gamma},
            {.velocity = 2, .energy = 1});
      },
      "zone 2 is 0.0");
  refused([&] { fem::make_gas_spaces(2, of.in.nodes, {}, {}); }, "no function");
  fem::gas_run run(of.in, {}, of.start, {.final_time = 1e-3});
  fem::gas_run_state kept = run.kept();
  kept.dt = 0;
  refused([&] { run.go_on_from(kept); }, "whose next step is 0");
  kept.dt = 1;
  kept.time = 2;
  refused([&] { run.go_on_from(kept); }, "not before the final time");
  while (!run.finished()) run.step();
  refused([&] { run.step(); }, "after the final time");
}
