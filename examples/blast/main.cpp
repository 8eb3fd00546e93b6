// SPDX-License-Identifier: BSD-3-Clause
// blast: Lagrangian hydrodynamics of high order, the problems that such codes are compared by.
#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include "../command_line.hpp"
#include "results.hpp"
#include "simulation.hpp"

namespace {

using namespace tessera::blast;
using clock_type = std::chrono::steady_clock;

struct arguments {
  settings run;
  int energy_order = -1;
  bool energy_by_cg = false;
  int threads = omp_get_max_threads();
  long every = 5, most_steps = -1, checkpoint_every = 100, vtk_every = 0;
  std::string checkpoint, restart, vtk, json, write_mesh;
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
  const spaces& in = of.in();
  std::printf("%s in %d-D: %lld zones, velocity of order %d, energy of order %d, %d points a direction, %d thread%s\n",
              of.which().name.c_str(), in.dim, static_cast<long long>(in.zones), in.order, in.energy_order,
              in.line_points, threads, threads == 1 ? "" : "s");
  std::printf("%lld numbers of the velocity, %lld of the energy\n", static_cast<long long>(in.kinematic()),
              static_cast<long long>(in.thermodynamic()));
}

void print_step(const simulation& of) {
  std::printf("step %5ld,\tt = %5.4f,\tdt = %5.6f,\t|e| = %.10e\n", of.steps(), of.time(), of.next_dt(),
              of.energy_norm());
  std::fflush(stdout);
}

// Rates as the reference code counts them: numbers times iterations, or times stages, in millions a second.
void print_end(const simulation& of, double seconds) {
  const spaces& in = of.in();
  const phases& spent = of.moved().spent();
  const record &first = of.history().front(), &last = of.history().back();
  const auto rate = [](double work, double time) { return time > 0 ? 1e-6 * work / time : 0; };
  std::printf("\n%ld steps, %ld repeated, in %.2f s\n", of.steps(), of.repeats(), seconds);
  std::printf("velocity mass  %8.2f s  %8.2f million numbers x iterations a second\n", spent.velocity_mass,
              rate(double(in.nodes.count) * double(of.solved().velocity_iterations()), spent.velocity_mass));
  std::printf("energy mass    %8.2f s  %8.2f million numbers x solves a second\n", spent.energy_mass,
              rate(double(in.thermodynamic()) * double(spent.stages), spent.energy_mass));
  std::printf("forces         %8.2f s  %8.2f million numbers x stages a second, %.2f million points x passes\n",
              spent.forces, rate(double(in.kinematic() + in.thermodynamic()) * double(spent.stages), spent.forces),
              rate(double(in.points * in.zones) * double(spent.evaluations), spent.forces));
  if (of.solved().failures() > 0)
    std::printf("%ld solves did not reach their tolerance: --cg-iterations\n", of.solved().failures());
  const double before = first.internal + first.kinetic, after = last.internal + last.kinetic;
  std::printf("\nEnergy: internal %.10e, kinetic %.10e\nEnergy  diff: %.2e of %.6e\n", last.internal, last.kinetic,
              std::abs(after - before), before);
  if (of.which().velocity_known) {
    const auto difference = [&](const auto& at) {
      const vec exact = of.which().velocity(at.x, in.dim);
      return std::hypot(at.v[0] - exact[0], at.v[1] - exact[1], at.v[2] - exact[2]);
    };
    std::printf(
        "Error of the velocity, which stays that of the start: L1 %.2e, L2 %.2e\n",
        of.passes().integral(of.state(), difference),
        std::sqrt(of.passes().integral(of.state(), [&](const auto& at) { return difference(at) * difference(at); })));
  }
  const double error = density_error(of);
  if (!std::isnan(error)) std::printf("Error of the density against the exact solution: L1 %.4e\n", error);
}

int run(arguments& given) {
  omp_set_num_threads(given.threads);
  tessera::examples::check_writable(given.json);
  if (!given.checkpoint.empty()) tessera::examples::check_writable(given.checkpoint + ".part");
  simulation of(given.run);
  if (!given.write_mesh.empty()) write_mfem_mesh(given.write_mesh, of.mesh());
  print_head(of, given.threads);
  if (!given.restart.empty()) {
    of.load(given.restart);
    std::printf("Going on from '%s'\n", given.restart.c_str());
    print_step(of);
  }
  frames series(given.vtk, of.time());
  series.write(of);
  const auto start = clock_type::now();
  progress shown(of.time(), given.run.final_time);
  int status = 0;
  try {
    for (long steps = 0; !of.finished() && steps != given.most_steps; ++steps) {
      of.step();
      const bool last = of.finished() || steps + 1 == given.most_steps;
      if (last || of.steps() % given.every == 0) {
        shown.clear();
        print_step(of);
      }
      shown.show(of);
      if (last || (given.vtk_every > 0 && of.steps() % given.vtk_every == 0)) series.write(of);
      if (!given.checkpoint.empty() && (last || of.steps() % given.checkpoint_every == 0)) of.save(given.checkpoint);
    }
  } catch (const step_crashed& crash) {
    const std::string file = given.checkpoint.empty() ? "blast_crashed.checkpoint" : given.checkpoint;
    of.save(file);
    std::fprintf(stderr, "blast: %s\nThe last good state is in '%s'.\n", crash.what(), file.c_str());
    status = 1;
  }
  const double seconds = seconds_since(start);
  print_end(of, seconds);
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
  app.add_option("-k,--order", s.order.velocity, "Of the velocity (default: 2)")->check(CLI::Range(1, 8));
  app.add_option("--energy-order", given.energy_order, "Of the energy (default: that of the velocity, less 1)")
      ->check(CLI::Range(0, 8));
  app.add_option("--rule", s.order.rule, "Order of the quadrature (default: 3 k + l - 1)")->check(CLI::Range(1, 60));
  app.add_option("-s,--method", s.method_number, method_names() + " (default: 4)");
  app.add_option("-t,--final-time", s.final_time, "(default: 0.6)")->check(CLI::PositiveNumber);
  app.add_option("--cfl", s.cfl, "Step over the longest that is stable at the points (default: 0.5)")
      ->check(CLI::Range(1e-6, 10.0));
  app.add_option("--released-energy", s.released, "Of Sedov's wave in all of space (default: 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--cg-tolerance", s.solver.tolerance, "Of conjugate gradients (default: 1e-8)")
      ->check(CLI::Range(1e-16, 0.1));
  app.add_option("--cg-iterations", s.solver.most_iterations, "At most (default: 300)")->check(CLI::Range(1, 100000));
  app.add_flag(
      "--energy-by-cg", given.energy_by_cg,
      "Solve for the energy by conjugate gradients over all zones, as the reference code does, instead of exactly");
  app.add_option("--max-steps", given.most_steps, "End after as many (default: no limit)")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--every", given.every, "Print each so many steps (default: 5)")->check(CLI::Range(1L, 1000000000L));
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::Range(1, 4096));
  app.add_option("--checkpoint", given.checkpoint, "File that is written while the run goes on, and at its end");
  app.add_option("--checkpoint-every", given.checkpoint_every, "Steps (default: 100)")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--restart", given.restart, "Go on from this checkpoint, bit by bit as if the run had not ended");
  app.add_option("--vtk", given.vtk, "PREFIX of files for ParaView, of the start and the end: PREFIX.pvd");
  app.add_option("--vtk-every", given.vtk_every, "And each so many steps")->check(CLI::Range(1L, 1000000000L));
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
  if (given.energy_by_cg) given.run.solver.energy = energy_solver::conjugate_gradients;
  try {
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "blast: %s\n", e.what());
    return 2;
  }
}
