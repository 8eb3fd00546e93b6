// SPDX-License-Identifier: BSD-3-Clause
// spin_chain: the ground state of an open Heisenberg chain by two-site DMRG or by evolution in imaginary time, its
// energy, and the time of contractions apart from that of singular values, on a CPU or a GPU.
#include <tessera/device_facts.hpp>
#include <tessera/target.hpp>

#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "../command_line.hpp"
#include "measure/number_option.hpp"
#include "report.hpp"

namespace {

using namespace tessera;
using namespace tessera::spin_chain;

struct arguments {
  dmrg_options dmrg;
  int sweeps = 20;
  double tolerance = 1e-10;
  bool gpu = false, plans = false, evolve = false;
  double step = 0.025, longest = 100;  // imaginary time, of --evolve
  std::string compare, json;
};

std::string place_of(const arguments& a) {
  if (a.gpu) return device_name(target::cuda);
  const int threads = omp_get_max_threads();
  return std::string(name_of(default_cpu_target())) + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

// The energy no longer changes, and all bonds are as large as they may become.
bool is_converged(const std::vector<sweep_result>& sweeps, index_t full_bond, double tolerance) {
  if (sweeps.size() < 2 || sweeps.back().bond < full_bond) return false;
  return std::abs(sweeps.back().energy - sweeps[sweeps.size() - 2].energy) < tolerance;
}

// Different orders of sums, and bonds that were cut at other places in the last digits.
bool energies_agree(const run_report& run, double tolerance) {
  const double energy = run.ways.front().sweeps.back().energy;
  for (const history& way : run.ways)
    if (!(std::abs(way.sweeps.back().energy - energy) < 10 * tolerance)) return false;
  return true;
}

int work(const arguments& a) {
  run_report run{
      .options = a.dmrg, .tolerance = a.tolerance, .exact = exact_energy(a.dmrg.sites), .where = place_of(a)};
  std::vector<std::unique_ptr<contractions>> by;
  by.push_back(tessera_contractions(a.dmrg.full_bond()));
  run.ways.push_back({.by = "tessera", .sweeps = {}, .cuts = {}});
  if (!a.compare.empty()) {
    by.push_back(blas_contractions(a.dmrg.where));
    run.ways.push_back({.by = a.compare, .sweeps = {}, .cuts = {}});
  }
  std::vector<dmrg> chains;
  chains.reserve(by.size());
  for (const auto& one : by) chains.emplace_back(a.dmrg, *one);
  print_head(run);
  for (int s = 0; s < a.sweeps && !run.converged; ++s) {
    for (std::size_t way = 0; way < by.size(); ++way) {
      history& of = run.ways[way];
      of.sweeps.push_back(chains[way].sweep());
      of.cuts = chains[way].cuts();
      print_sweep(run, of);
    }
    run.converged = is_converged(run.ways.front().sweeps, a.dmrg.full_bond(), a.tolerance);
  }
  run.products = by.front()->describe();
  print_end(run);
  if (a.plans) std::printf("\n%s\n", run.products.c_str());
  if (!a.json.empty()) write_json(run, a.json);
  const bool agree = !run.converged || energies_agree(run, a.tolerance);
  if (!agree) std::printf("DIFFERENT: the energies of the two ways\n");
  return run.converged && agree ? 0 : 1;
}

// Steps of 1/5, 1/10, ... of imaginary time, the last ones of at most `step`.
std::vector<int> steps_of_a_block(double step) {
  constexpr int first = 5;
  const int last = std::max(first, int(std::ceil(1 / step - 1e-9)));
  std::vector<int> all;
  for (int steps = first; steps < last; steps *= 2) all.push_back(steps);
  all.push_back(last);
  return all;
}

int evolve(const arguments& a) {
  evolution_report run{
      .options = a.dmrg, .tolerance = a.tolerance, .exact = exact_energy(a.dmrg.sites), .where = place_of(a)};
  const std::unique_ptr<contractions> by = tessera_contractions(a.dmrg.full_bond());
  evolution state(a.dmrg, *by);
  print_head(run);
  for (const int steps : steps_of_a_block(a.step)) {
    // Blocks of an imaginary time of 1, until two change the energy by less than the tolerance.
    run.converged = false;
    for (double spent = 0; spent < a.longest && !run.converged; spent += 1) {
      run.blocks.push_back(state.advance(1.0 / steps, steps));
      print_block(run);
      run.converged = is_converged(run.blocks, run.options.full_bond(), a.tolerance);
    }
  }
  run.update = state.describe();
  print_end(run);
  if (a.plans) std::printf("\n%s\n", run.update.c_str());
  if (!a.json.empty()) write_json(run, a.json);
  return run.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app(
      "Ground state of an open Heisenberg chain of spins 1/2 by two-site DMRG: energy, truncation and times a sweep. "
      "Its "
      "products have H between the state and itself, and no two-site update Y = G X M; evolution in imaginary time, "
      "--evolve, has one for each pair. Exits with 0 where the energy converged, 1 where it did not, 2 after a "
      "mistake.");
  using tessera::bench::integer_between, tessera::bench::real_between;
  app.add_option("--sites", given.dmrg.sites, "Spins, 2 to 10000 (default: 20)")->check(integer_between(2, 10000));
  app.add_option("--bond", given.dmrg.bond, "States of a bond, at most; 1 to 4096 (default: 64)")
      ->check(integer_between(1, 4096));
  CLI::Option* const sweeps =
      app.add_option("--sweeps", given.sweeps, "To the right and back, at most; 1 to 100000 (default: 20)")
          ->check(integer_between(1, 100000));
  app.add_option("--tolerance", given.tolerance,
                 "Ends when a sweep, or two blocks of steps, with full bonds change the energy by less; 1e-15 to 1 "
                 "(default: 1e-10)")
      ->check(real_between(1e-15, 1.0));
  CLI::Option* const vectors = app.add_option("--vectors", given.dmrg.most_vectors,
                                              "Of Lanczos' method for a pair, at most; 2 to 100 (default: 10)")
                                   ->check(integer_between(2, 100));
  CLI::Option* const residual = app.add_option("--residual", given.dmrg.lanczos_residual,
                                               "At which Lanczos' method ends; 1e-14 to 1 (default: 1e-6)")
                                    ->check(real_between(1e-14, 1.0));
  app.add_flag("--gpu", given.gpu, "All but the singular values on the GPU");
  CLI::Option* const compare =
      app.add_option("--compare", given.compare, "blas: the same sweeps by products of matrices, dgemm or cuBLAS")
          ->check(CLI::IsMember({"blas"}));
  CLI::Option* const evolving =
      app.add_flag("--evolve", given.evolve,
                   "By evolution in imaginary time instead: gates on all pairs, each by one two-site update, a chain "
                   "that is one launch on a GPU");
  for (CLI::Option* const other : {sweeps, vectors, residual, compare}) evolving->excludes(other);
  app.add_option("--step", given.step,
                 "With --evolve: imaginary time of the last steps; 0.2 at first; 1e-4 to 0.2 (default: 0.025)")
      ->check(real_between(1e-4, 0.2))
      ->needs(evolving);
  app.add_option("--time", given.longest,
                 "With --evolve: imaginary time with steps of a length, at most; 1 to 1e6 (default: 100)")
      ->check(real_between(1, 1e6))
      ->needs(evolving);
  app.add_flag("--plans", given.plans, "Prints how the largest product or update is computed");
  app.add_option("--json", given.json, "A file of all numbers, for plot_spin_chain.py");
  if (const auto status = tessera::examples::parse(app, argc, argv)) return *status;
  try {
    if (given.gpu && !is_available(target::cuda)) throw error("--gpu: there is none that can be used: " + why_no_gpu());
    if (given.gpu) given.dmrg.where = space_kind::gpu;
    tessera::examples::check_writable(given.json);
    return given.evolve ? evolve(given) : work(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "spin_chain: %s\n", e.what());
    return 2;
  }
}
