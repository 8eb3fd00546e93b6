// SPDX-License-Identifier: BSD-3-Clause
// blast: Lagrangian hydrodynamics of high order, the problems that such codes are compared by.
#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "../command_line.hpp"
#include "replacement.hpp"
#include "report.hpp"
#include "run_loop.hpp"
#include "simulation.hpp"

namespace {

using namespace tessera::blast;
namespace fem = tessera::fem;

struct arguments {
  settings run;
  int energy_order = -1;
  bool energy_by_cg = false, on_gpu = false;
  int threads = omp_get_max_threads();
  outputs to;
  std::string restart, write_mesh;
  std::vector<std::string> materials;
};

// By any of its names, both being there.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  return std::filesystem::equivalent(a, b, failed);
}

int run(arguments& given) {
  omp_set_num_threads(given.threads);
  check_replaceable(given.to.json);
  check_replaceable(given.to.png);
  simulation of(given.run);
  if (!given.restart.empty()) of.load(given.restart);
  if (!given.to.checkpoint.empty()) {
    if (std::filesystem::exists(given.to.checkpoint) && !is_same_file(given.to.checkpoint, given.restart))
      throw std::runtime_error("the checkpoint '" + given.to.checkpoint +
                               "' exists: --restart goes on from it, or remove it to begin anew");
    of.save(given.to.checkpoint);  // whether it can be written, before there is work to lose
  }
  if (!given.write_mesh.empty()) write_mfem_mesh(given.write_mesh, of.mesh());
  print_head(of, given.threads);
  if (!given.restart.empty()) {
    std::printf("Going on from '%s'\n", given.restart.c_str());
    print_step(of);
  }
  return run_to_end(of, given.to, [&] { of.step(); });
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
  app.add_option("--rule", s.order.rule,
                 "Order of the quadrature (default: max(3 k + l - 1, 2 l), k and l being the orders)")
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
  app.add_option("--max-steps", given.to.most_steps, "End after as many steps of this call (default: no limit)")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--every", given.to.every, "Print a line every so many steps (default: 5)")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_flag("--gpu", given.on_gpu, "Run on the GPU");
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::Range(1, 4096));
  app.add_option("--checkpoint", given.to.checkpoint,
                 "File that is written while the run goes on, and at its end, also one by SIGINT or SIGTERM");
  app.add_option("--checkpoint-every", given.to.checkpoint_every, "Write it every so many steps (default: 100)")
      ->needs("--checkpoint")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--restart", given.restart,
                 "Go on from this checkpoint, bit by bit as if the run had not been killed");
  app.add_option("--vtk", given.to.vtk, "PREFIX of files for ParaView, of the start and the end: PREFIX.pvd");
  app.add_option("--vtk-every", given.to.vtk_every, "Write them every so many steps, too")
      ->needs("--vtk")
      ->check(CLI::Range(1L, 1000000000L));
  app.add_option("--vtk-times", given.to.vtk_times,
                 "T1,T2,...: write them after the first step at or past each time, too")
      ->needs("--vtk")
      ->delimiter(',');
  app.add_option("--json", given.to.json, "File for examples/blast/plot_blast.py");
  app.add_option("--png", given.to.png, "Picture of the end by that script, with python3 and matplotlib: FILE.png")
      ->check(CLI::Validator(
          [](const std::string& name) {
            return std::filesystem::path(name).extension() == ".png" ? "" : "the picture's name must end in .png";
          },
          "", "name of a picture"));
  app.add_option("--field", given.to.field, "What it shows on the mesh: density or energy (default: density)")
      ->needs("--png")
      ->check(CLI::IsMember({"density", "energy"}));
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
