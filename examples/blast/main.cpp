// SPDX-License-Identifier: BSD-3-Clause
// blast: Lagrangian hydrodynamics of high order, the problems that such codes are compared by.
#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "../command_line.hpp"
#include "results.hpp"
#include "simulation.hpp"

namespace {

using namespace tessera::blast;
namespace fem = tessera::fem;
using clock_type = std::chrono::steady_clock;

struct arguments {
  settings run;
  int energy_order = -1;
  bool energy_by_cg = false, on_gpu = false;
  int threads = omp_get_max_threads();
  long every = 5, most_steps = -1, checkpoint_every = 100, vtk_every = 0;
  std::string checkpoint, restart, vtk, json, write_mesh;
  std::vector<std::string> materials;
};

double seconds_since(clock_type::time_point from) {
  return std::chrono::duration<double>(clock_type::now() - from).count();
}

// On a terminal: how far the run is, and how long it takes at the rate so far.
class progress {
 public:
  progress(double from_time, double final_time) : from_(from_time), final_(final_time) {}
  void show(const simulation& of) {
    if (!on_terminal_ || seconds_since(shown_) < 0.5) return;
    shown_ = clock_type::now();
    const double done = (of.time() - from_) / (final_ - from_);
    std::printf("\r  time %.4f of %.4f, %.0f %%, about %.0f s left ", of.time(), final_, 100 * done,
                seconds_since(start_) * (1 - done) / std::max(done, 1e-9));
    std::fflush(stdout);
  }
  void clear() const {
    if (on_terminal_) std::printf("\r%60s\r", "");
  }

 private:
  bool on_terminal_ = isatty(STDOUT_FILENO) == 1;
  double from_, final_;
  clock_type::time_point start_ = clock_type::now(), shown_ = start_;
};

void print_head(const simulation& of, int threads) {
  const fem::gas_spaces& in = of.in();
  const std::string where = of.given().space == tessera::space_kind::gpu
                                ? "on the GPU"
                                : std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  std::printf("%s in %d-D: %lld zones, velocity of order %d, energy of order %d, %d points a direction, %s\n",
              of.which().name.c_str(), in.dim, static_cast<long long>(in.zones), in.order, in.energy_order,
              in.line_points, where.c_str());
  std::printf("%lld numbers of the velocity, %lld of the energy\n", static_cast<long long>(in.kinematic()),
              static_cast<long long>(in.thermodynamic()));
}

void print_step(const simulation& of) {
  std::printf("step %5ld,\tt = %5.4f,\tdt = %5.6f,\t|e| = %.10e\n", of.steps(), of.time(), of.next_dt(),
              of.energy_norm());
  std::fflush(stdout);
}

// Rates in millions a second: of numbers times iterations, solves or stages.
void print_end(const simulation& of, long steps, double seconds) {
  const fem::gas_spaces& in = of.in();
  const fem::gas_phases& spent = of.run().motion().spent();
  const record &first = of.history().front(), &last = of.history().back();
  const auto rate = [](double work, double time) { return time > 0 ? 1e-6 * work / time : 0; };
  std::printf("\n%ld steps in %.2f s; %ld of all %ld were repeated\n", steps, seconds, of.run().repeats(), of.steps());
  std::printf("velocity mass  %8.2f s  %8.2f million numbers x iterations a second\n", spent.velocity_mass,
              rate(double(in.nodes.count) * double(of.run().masses().velocity_iterations()), spent.velocity_mass));
  std::printf("energy mass    %8.2f s  %8.2f million numbers x solves a second\n", spent.energy_mass,
              rate(double(in.thermodynamic()) * double(spent.stages), spent.energy_mass));
  std::printf("forces         %8.2f s  %8.2f million numbers x stages a second, %.2f million points x passes\n",
              spent.forces, rate(double(in.kinematic() + in.thermodynamic()) * double(spent.stages), spent.forces),
              rate(double(in.points * in.zones) * double(spent.evaluations), spent.forces));
  if (of.run().masses().failures() > 0)
    std::printf("%ld solves did not reach their tolerance: --cg-iterations\n", of.run().masses().failures());
  std::printf("\nEnergy: internal %.10e, kinetic %.10e", last.internal, last.kinetic);
  if (of.which().physics.gravity != vec{}) std::printf(", potential %.10e", last.potential);
  std::printf("\nEnergy  diff: %.2e of %.6e\n", std::abs(last.total() - first.total()), first.total());
  if (of.which().velocity_known) {
    const auto difference = [&](const auto& at) {
      const vec exact = of.which().velocity(at.x, in.dim);
      return std::hypot(at.v[0] - exact[0], at.v[1] - exact[1], at.v[2] - exact[2]);
    };
    const std::vector<double> state = of.state();
    std::printf(
        "Error of the velocity, which stays that of the start: L1 %.2e, L2 %.2e\n",
        fem::integral(in, state.data(), difference),
        std::sqrt(fem::integral(in, state.data(), [&](const auto& at) { return difference(at) * difference(at); })));
  }
  const double error = density_error(of);
  if (!std::isnan(error)) std::printf("Error of the density against the exact solution: L1 %.4e\n", error);
}

int run(arguments& given) {
  omp_set_num_threads(given.threads);
  tessera::examples::check_writable(given.json);
  simulation of(given.run);
  if (!given.restart.empty()) of.load(given.restart);
  if (!given.checkpoint.empty()) {
    if (given.checkpoint != given.restart && std::filesystem::exists(given.checkpoint))
      throw std::runtime_error("the checkpoint '" + given.checkpoint +
                               "' exists: --restart goes on from it, or remove it to begin anew");
    of.save(given.checkpoint);  // whether it can be written, before there is work to lose
  }
  if (!given.write_mesh.empty()) write_mfem_mesh(given.write_mesh, of.mesh());
  print_head(of, given.threads);
  if (!given.restart.empty()) {
    std::printf("Going on from '%s'\n", given.restart.c_str());
    print_step(of);
  }
  frames series(given.vtk, of.time());
  series.write(of);
  const auto start = clock_type::now();
  progress shown(of.time(), given.run.final_time);
  const long first = of.steps();
  int status = 0;
  // What cannot be written is said, and the run goes on.
  const auto written = [&](const auto& write) {
    try {
      write();
    } catch (const std::exception& e) {
      shown.clear();
      std::fprintf(stderr, "blast: %s\n", e.what());
      status = 1;
    }
  };
  try {
    while (!of.finished() && of.steps() - first != given.most_steps) {
      of.step();
      const bool last = of.finished() || of.steps() - first == given.most_steps;
      const auto is_due = [&](long every) { return last || (every > 0 && of.steps() % every == 0); };
      if (is_due(given.every)) {
        shown.clear();
        print_step(of);
      }
      if (!given.checkpoint.empty() && is_due(given.checkpoint_every)) written([&] { of.save(given.checkpoint); });
      if (is_due(given.vtk_every)) written([&] { series.write(of); });
      if (!last) shown.show(of);
    }
  } catch (const fem::gas_step_crashed& crash) {
    shown.clear();
    std::fprintf(stderr, "blast: %s\n", crash.what());
    const std::string file = (given.checkpoint.empty() ? "blast" : given.checkpoint) + ".crashed";
    written([&] {
      of.save(file);
      std::fprintf(stderr, "The last good state is in '%s': --restart, with a smaller --cfl\n", file.c_str());
    });
    status = 1;
  }
  const double seconds = seconds_since(start);
  print_end(of, of.steps() - first, seconds);
  if (!given.vtk.empty()) std::printf("For ParaView: %s.pvd\n", given.vtk.c_str());
  if (!given.json.empty()) write_json(given.json, of, seconds);
  return status;
}

void add_options(CLI::App& app, arguments& given) {
  settings& s = given.run;
  app.add_option("-p,--problem", s.problem_number, problem_names() + " (default: 1)");
  app.add_option("-d,--dim", s.dim, "Dimensions: 1, 2 or 3 (default: those of the mesh, or 2)")
      ->check(CLI::Range(1, 3));
  app.add_option("-m,--mesh", s.mesh, "File of MFEM's format v1.0 (default: the problem's own mesh)");
  app.add_option("-r,--refine", s.refinements, "How often each zone is halved in each direction (default: 2)")
      ->check(CLI::Range(0, 10));
  app.add_option(
         "--material", given.materials,
         "ATTRIBUTE:DENSITY:ENERGY:GAMMA of the zones with that attribute of the mesh, ENERGY being internal, per "
         "mass; repeatable (default: the problem's gas)")
      ->allow_extra_args(false);
  app.add_option("-k,--order", s.order.velocity, "Order of position and velocity (default: 2)")
      ->check(CLI::Range(1, 8));
  app.add_option("--energy-order", given.energy_order, "Order of the energy (default: that of the velocity, less 1)")
      ->check(CLI::Range(0, 8));
  app.add_option("--rule", s.order.rule, "Order of the quadrature (default: 3 k + l - 1, k and l being the orders)")
      ->check(CLI::Range(1, 60));
  app.add_option("-s,--method", s.method_number, fem::gas_method_names() + " (default: 4)");
  app.add_option("-t,--final-time", s.final_time, "Time at which the run ends (default: 0.6)")
      ->check(CLI::PositiveNumber);
  app.add_option("--cfl", s.cfl, "CFL number: length of steps over what a point allows (default: 0.5)")
      ->check(CLI::Range(1e-6, 10.0));
  app.add_option("--released-energy", s.released,
                 "Energy of Sedov's wave in all of space, of which the mesh has the 2^dim-th part (default: 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--cg-tolerance", s.solver.tolerance, "Tolerance of conjugate gradients, relative (default: 1e-8)")
      ->check(CLI::Range(1e-16, 0.1));
  app.add_option("--cg-iterations", s.solver.most_iterations, "Limit on iterations of a solve (default: 300)")
      ->check(CLI::Range(1, 100000));
  app.add_flag(
      "--energy-by-cg", given.energy_by_cg,
      "Solve for the energy by conjugate gradients over all zones, as the reference code does, instead of exactly");
  app.add_option("--max-steps", given.most_steps, "End after as many steps of this call (default: no limit)")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--every", given.every, "Print a line every so many steps (default: 5)")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_flag("--gpu", given.on_gpu, "Run on the GPU");
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::Range(1, 4096));
  app.add_option("--checkpoint", given.checkpoint, "File that is written while the run goes on, and at its end");
  app.add_option("--checkpoint-every", given.checkpoint_every, "Write it every so many steps (default: 100)")
      ->needs("--checkpoint")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--restart", given.restart,
                 "Go on from this checkpoint, bit by bit as if the run had not been killed");
  app.add_option("--vtk", given.vtk, "PREFIX of files for ParaView, of the start and the end: PREFIX.pvd");
  app.add_option("--vtk-every", given.vtk_every, "Write them every so many steps, too")
      ->needs("--vtk")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--json", given.json, "File for examples/blast/plot_blast.py");
  app.add_option("--write-mesh", given.write_mesh, "File for the refined mesh, in MFEM's format");
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app("Lagrangian hydrodynamics of high order: blast waves, shock tubes, vortices, instabilities.");
  add_options(app, given);
  if (const auto status = tessera::examples::parse(app, argc, argv)) return *status;
  given.run.order.energy = given.energy_order >= 0 ? given.energy_order : given.run.order.velocity - 1;
  if (given.energy_by_cg) given.run.solver.energy = fem::energy_solver::conjugate_gradients;
  if (given.on_gpu) given.run.space = tessera::space_kind::gpu;
  try {
    for (const std::string& text : given.materials) given.run.materials.push_back(material_from(text));
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "blast: %s\n", e.what());
    return 2;
  }
}
