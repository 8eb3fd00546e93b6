// SPDX-License-Identifier: BSD-3-Clause
// Whole runs of blast: the reference code's norms, conservation, convergence, checkpoints.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "results.hpp"
#include "simulation.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::blast;

namespace {

void run_to(simulation& of, long steps) {
  while (!of.finished() && of.steps() < steps) of.step();
}

// Of the unit square or cube of 2^dim zones.
double norm_after(int number, int dim, long steps, fem::energy_solver energy) {
  const temporary_file mesh;
  write_mfem_mesh(mesh.name(), box_of_zones(std::vector<std::vector<double>>(std::size_t(dim), {0, 0.5, 1})));
  simulation of({.problem_number = number,
                 .mesh = mesh.name(),
                 .refinements = 0,
                 .solver = {.tolerance = 1e-14, .energy = energy}});
  run_to(of, steps);
  CHECK(of.steps() == steps);
  return of.energy_norm();
}

// What Laghos, the reference code, checks itself by: norms of the energy's coefficients after as many steps.
struct reference {
  int problem;
  struct {
    long steps;
    double norm;
  } of[2][2];  // [dim - 2][early, late]
};
const reference norms[] = {
    {0,
     {{{5, 6.546538624534384e+00}, {27, 7.588576357792927e+00}},
      {{5, 1.198510951452527e+03}, {188, 1.199384410059154e+03}}}},
    {1,
     {{{5, 3.508254945225794e+00}, {15, 2.756444596823211e+00}},
      {{5, 6.695818592962833e+00}, {20, 4.267902387082487e+00}}}},
    {2,
     {{{5, 1.020745795651244e+01}, {59, 1.721590205901898e+01}},
      {{5, 2.041491591302486e+01}, {59, 3.443180411803796e+01}}}},
    {3,
     {{{5, 8.000000000000000e+00}, {16, 8.000000000000000e+00}},
      {{5, 1.600000000000000e+01}, {16, 1.600000000000000e+01}}}},
    {4,
     {{{5, 3.446324942352448e+01}, {18, 3.446844033767240e+01}},
      {{5, 6.892649884704898e+01}, {18, 6.893688067534482e+01}}}},
    {5,
     {{{5, 1.030899557252528e+01}, {36, 1.057362418574309e+01}},
      {{5, 2.061984481890964e+01}, {36, 2.114519664792607e+01}}}},
    {6,
     {{{5, 8.039707010835693e+00}, {36, 8.316970976817373e+00}},
      {{5, 1.607988713996459e+01}, {36, 1.662736010353023e+01}}}},
    {7,
     {{{5, 1.514929259650760e+01}, {25, 1.514931278155159e+01}},
      {{5, 3.029858112572883e+01}, {24, 3.029858832743707e+01}}}},
};

}  // namespace

TEST_CASE("blast: norms of the reference code, 2-D", "[blast]") {
  for (const reference& each : norms)
    for (const auto& [steps, norm] : each.of[0])
      for (const auto energy : {fem::energy_solver::exact, fem::energy_solver::conjugate_gradients}) {
        const double found = norm_after(each.problem, 2, steps, energy);
        INFO("problem " << each.problem << ", step " << steps << ": " << found << ", the reference has " << norm);
        CHECK(std::abs(found - norm) < 1e-12 * norm);
      }
}

TEST_CASE("blast: norms of the reference code, 3-D", "[blast]") {
  for (const reference& each : norms)
    for (const auto& [steps, norm] : each.of[1]) {
      if (steps > 100) continue;  // by the next test
      const double found = norm_after(each.problem, 3, steps, fem::energy_solver::exact);
      INFO("problem " << each.problem << ", step " << steps << ": " << found << ", the reference has " << norm);
      CHECK(std::abs(found - norm) < 1e-12 * norm);
    }
}

TEST_CASE("blast: norms of the reference code, 188 steps in 3-D", "[blast]") {
  const auto& [steps, norm] = norms[0].of[1][1];
  CHECK(std::abs(norm_after(0, 3, steps, fem::energy_solver::exact) - norm) < 1e-12 * norm);
}

TEST_CASE("blast: methods and orders on small meshes", "[blast]") {
  // Of an independent program: steps and norms of Sedov's wave at time 0.1, by method and by order.
  const struct {
    int method, order, refinements;
    long steps;
    double norm;
  } known[] = {
      {1, 2, 1, 12, 1.219566997703381e+01}, {2, 2, 1, 10, 1.221589557606514e+01}, {3, 2, 1, 11, 1.224130666815191e+01},
      {4, 2, 1, 10, 1.223763456564487e+01}, {6, 2, 1, 13, 1.223800103516593e+01}, {7, 2, 1, 10, 1.227816044641066e+01},
      {4, 1, 0, 1, 9.920824523164166e-01},  {4, 2, 0, 3, 3.809104669585293e+00},  {4, 3, 0, 7, 7.617045319880410e+00},
      {4, 4, 0, 12, 1.200889356571210e+01}, {4, 5, 0, 17, 1.977694611194617e+01}};
  for (const auto& each : known) {
    INFO("method " << each.method << ", order " << each.order);
    simulation of({.problem_number = 1,
                   .refinements = each.refinements,
                   .order = {.velocity = each.order, .energy = each.order - 1},
                   .method_number = each.method,
                   .final_time = 0.1,
                   .solver = {.tolerance = 1e-14}});
    run_to(of, 1000);
    CHECK(of.steps() == each.steps);
    CHECK(std::abs(of.energy_norm() - each.norm) < 1e-12 * each.norm);
  }
  CHECK_THROWS_WITH(fem::gas_method_of(5), Catch::Contains("there is no Runge-Kutta method 5"));
}

TEST_CASE("blast: orders up to 8 start and step in each dimension", "[blast]") {
  for (const int dim : {1, 2, 3})
    for (const int order : {1, 4, 6, 8}) {
      if (dim == 3 && order > 4) continue;
      INFO(dim << "-D, order " << order);
      simulation of({.problem_number = 2,
                     .dim = dim,
                     .refinements = 1,
                     .order = {.velocity = order, .energy = order - 1},
                     .method_number = 7,
                     .solver = {.tolerance = 1e-13}});
      run_to(of, 3);
      CHECK(of.steps() == 3);
      CHECK(std::abs(of.history().back().total() - of.history().front().total()) < 1e-12);
      CHECK(of.history().back().kinetic > 0);
    }
}

TEST_CASE("blast: the averaged method keeps the total energy", "[blast]") {
  for (const auto& [number, dim, refinements, order] :
       {std::tuple{1, 1, 4, 2}, {2, 1, 5, 2}, {1, 2, 1, 3}, {4, 2, 1, 3}, {3, 2, 1, 2}, {7, 2, 0, 2}, {1, 3, 0, 2}}) {
    INFO("problem " << number << " in " << dim << "-D, order " << order);
    simulation of({.problem_number = number,
                   .dim = dim,
                   .refinements = refinements,
                   .order = {.velocity = order, .energy = order - 1},
                   .method_number = 7,
                   .final_time = 0.2,
                   .solver = {.tolerance = 1e-14}});
    run_to(of, 1000);
    CHECK(of.finished());
    for (const record& each : of.history())
      CHECK(std::abs(each.total() - of.history().front().total()) < 1e-12 * of.history().front().total());
  }
}

TEST_CASE("blast: errors against exact solutions fall with refinement", "[blast]") {
  for (const auto& [number, dim, time, order] : {std::tuple{2, 1, 0.2, 2}, {1, 2, 0.4, 2}}) {
    double before = std::numeric_limits<double>::infinity();
    for (const int refinements : {2, 3, 4}) {
      if (dim == 2 && refinements == 4) continue;
      simulation of({.problem_number = number,
                     .dim = dim,
                     .refinements = refinements + (dim == 1 ? 2 : 0),
                     .order = {.velocity = order, .energy = order - 1},
                     .final_time = time});
      run_to(of, 100000);
      const double error = density_error(of);
      INFO("problem " << number << ", refined " << refinements << " times: " << error << " after " << before);
      CHECK(error < 0.7 * before);
      before = error;
    }
  }
}

TEST_CASE("blast: a steady vortex converges", "[blast]") {
  for (const auto& [order, least] : {std::pair{1, 1.9}, {2, 1.9}, {3, 3.0}, {4, 3.4}}) {
    double before = 0;
    for (const int refinements : {1, 2}) {
      simulation of({.problem_number = 0,
                     .refinements = refinements,
                     .order = {.velocity = order, .energy = order - 1},
                     .final_time = 0.1,
                     .solver = {.tolerance = 1e-12}});
      run_to(of, 10000);
      const double error = std::sqrt(fem::integral(of.in(), of.state().data(), [&](const auto& at) {
        const vec exact = of.which().velocity(at.x, 2);
        return (at.v[0] - exact[0]) * (at.v[0] - exact[0]) + (at.v[1] - exact[1]) * (at.v[1] - exact[1]);
      }));
      INFO("order " << order << ": " << error << " after " << before);
      if (refinements == 2) CHECK(std::log2(before / error) > least);
      before = error;
    }
  }
}

TEST_CASE("blast: the same bits for any number of threads, and from a checkpoint", "[blast]") {
  const settings given{.problem_number = 3, .refinements = 0, .final_time = 0.5};
  const temporary_file kept;
  const std::string& file = kept.name();
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  simulation whole(given);
  run_to(whole, 30);
  omp_set_num_threads(3);
  simulation first(given);
  run_to(first, 13);
  first.save(file);
  simulation second(given);
  second.load(file);
  CHECK(second.steps() == 13);
  CHECK(second.energy_norm() == first.energy_norm());
  run_to(second, 30);
  omp_set_num_threads(threads);
  CHECK(second.time() == whole.time());
  CHECK(second.next_dt() == whole.next_dt());
  CHECK(second.run().repeats() == whole.run().repeats());
  CHECK(whole.state() == second.state());
  REQUIRE(second.history().size() == whole.history().size());
  for (std::size_t i = 0; i < whole.history().size(); ++i)
    CHECK(second.history()[i].internal == whole.history()[i].internal);

  // A whole run's checkpoint goes on to a later time with the length that its last step would have had.
  simulation short_run(given);
  run_to(short_run, 1000);
  short_run.save(file);
  settings later = given;
  later.final_time = 0.6;
  simulation longer(later);
  longer.load(file);
  CHECK(longer.time() == 0.5);
  CHECK(longer.next_dt() > 1e-3);
  CHECK_THROWS_WITH(short_run.load(file), Catch::Contains("not before the final time 0.5"));

  settings other = given;
  other.order.velocity = 3;
  simulation stranger(other);
  CHECK_THROWS_WITH(stranger.load(file), Catch::Contains("order: 2 there, 3 here"));
  CHECK_THROWS_WITH(second.load(file + ".none"), Catch::Contains("cannot read the checkpoint"));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 5);
  CHECK_THROWS_WITH(second.load(file), Catch::Contains("is not whole"));
}

TEST_CASE("blast: a checkpoint with negative counts is damaged", "[blast]") {
  simulation of({.problem_number = 2, .dim = 1});
  for (const int which : {0, 1}) {  // steps, repeats
    const temporary_file kept;
    of.save(kept.name());
    std::fstream file(kept.name(), std::ios::in | std::ios::out | std::ios::binary);
    std::string identity;
    std::getline(file, identity);
    file.seekp(file.tellg() + std::streamoff(8 * which));
    const std::int64_t wrong = -1;
    file.write(reinterpret_cast<const char*>(&wrong), sizeof wrong);
    file.close();
    CHECK_THROWS_WITH(of.load(kept.name()), Catch::Contains("is damaged"));
  }
}

TEST_CASE("blast: a state without numbers is refused with its zone", "[blast]") {
  const settings given{.problem_number = 1, .refinements = 0, .final_time = 0.5};
  const temporary_file kept;
  const std::string& file = kept.name();
  simulation of(given);
  run_to(of, 2);
  of.save(file);
  {
    // The last number of the state, of the last zone's energy, becomes none.
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(-std::streamoff(sizeof(double) + 3), std::ios::end);
    const double none = std::numeric_limits<double>::quiet_NaN();
    out.write(reinterpret_cast<const char*>(&none), sizeof none);
  }
  CHECK_THROWS_WITH(of.load(file),
                    Catch::Contains("the checkpoint '" + file + "': ") && Catch::Contains("zone 3 is tangled"));
  CHECK(of.steps() == 2);
  of.step();
}

TEST_CASE("blast: a step that cannot be made names zone, point and time, and leaves the state", "[blast]") {
  simulation of({.problem_number = 2, .dim = 1, .refinements = 3, .final_time = 0.2, .cfl = 3});
  long steps = 0;
  double time = 0;
  try {
    for (; steps < 10000; ++steps) {
      time = of.time();
      of.step();
    }
    FAIL("all steps were made");
  } catch (const fem::gas_step_crashed& e) {
    const std::string text = e.what();
    INFO(text);
    CHECK(text.find("step " + std::to_string(steps + 1) + " at time 0.") != std::string::npos);
    CHECK(text.find("zone ") != std::string::npos);
    CHECK(text.find("point ") != std::string::npos);
  }
  CHECK(of.steps() == steps);
  CHECK(of.time() == time);
}

TEST_CASE("blast: the energy that is released is that of the mesh's part of space", "[blast]") {
  // Zones that are no parallelepipeds have all of it, too.
  const temporary_file mesh(
      "MFEM mesh v1.0\ndimension\n2\nelements\n1\n1 3 0 1 2 3\nboundary\n0\nvertices\n4\n2\n"
      "0 0\n2 0\n1 1\n0 1\n");
  for (const int refinements : {0, 1}) {
    const simulation of({.problem_number = 1, .mesh = mesh.name(), .refinements = refinements, .released = 3});
    CHECK(std::abs(of.history()[0].internal - 0.75) < 1e-14);
  }
}

TEST_CASE("blast: densities are those of the masses of zones", "[blast]") {
  simulation of({.problem_number = 3, .refinements = 1, .final_time = 0.2});
  run_to(of, 20);
  const fem::gas_spaces& in = of.in();
  const auto density = fem::gas_density(in, of.state().data());
  // The integral of the projected density over all zones is the mass, and where nothing has moved it is the start's.
  double mass = 0, most = 0;
  for (const double each : in.mass) mass += each;
  CHECK(std::abs(fem::integral(of.in(), of.state().data(), [](const auto& at) { return at.density; }) - mass) <
        1e-12 * mass);
  for (const double each : density) most = std::max(most, each);
  CHECK(most < 4);
  CHECK(std::abs(density[std::size_t(in.energies * (in.zones - 1))] - 0.125) < 1e-7);
}

TEST_CASE("blast: settings that do not fit", "[blast]") {
  CHECK_THROWS_WITH(simulation({.final_time = 0}), Catch::Contains("the final time is not positive"));
  CHECK_THROWS_WITH(simulation({.order = {.velocity = 3, .energy = 2, .rule = 1}}),
                    Catch::Contains("a rule of order 1 has 1 points"));
  CHECK_NOTHROW(simulation({.order = {.velocity = 1, .energy = 4}}));
  CHECK_THROWS_WITH(simulation({.problem_number = 0, .dim = 1}), Catch::Contains("in 2 to 3 dimensions, not in 1"));
  CHECK_THROWS_WITH(simulation({.mesh = "no such file"}), Catch::Contains("cannot read the mesh 'no such file'"));
  const temporary_file kept;
  const std::string& mesh = kept.name();
  write_mfem_mesh(mesh, box_of_zones({{1, 2}, {0, 1}}));
  CHECK_THROWS_WITH(simulation({.problem_number = 1, .mesh = mesh}), Catch::Contains("no vertex at the origin"));
  CHECK_THROWS_WITH(simulation({.problem_number = 0, .dim = 3, .mesh = mesh}), Catch::Contains("is 2-D, not 3-D"));
  write_mfem_mesh(mesh, box_of_zones({{1, 0}, {0, 1}}));
  CHECK_THROWS_WITH(simulation({.problem_number = 0, .mesh = mesh}), Catch::Contains("tangled"));
}
