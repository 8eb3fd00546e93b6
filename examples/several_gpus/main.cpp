// SPDX-License-Identifier: BSD-3-Clause
// several_gpus: conjugate gradients over the GPUs of a machine, a process each, with NCCL or through the host: time of
// an iteration, and what of it is computing.
#include <tessera/error.hpp>
#include <tessera/memory.hpp>
#include <tessera/solver/jacobi.hpp>

#include <cuda_runtime.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "../command_line.hpp"
#include "exchange.hpp"

namespace {

using namespace tessera;
using namespace tessera::examples;

struct arguments {
  int gpus = 2, order = 4, iterations = 50, repetitions = 3;
  double unknowns = 5e6;
  bool strong = false;
  std::string kind = "diffusion";
  std::vector<std::string> ways{"nccl", "staged", "none"};
};

// About so many unknowns of each GPU, or of all.
std::array<index_t, 3> box_for(const arguments& a) {
  const double cells = a.unknowns / std::pow(a.order, 3);
  const index_t side = std::max<index_t>(1, std::llround(std::cbrt(cells)));
  return {side, side, std::max<index_t>(a.gpus, a.strong ? side : side * a.gpus)};
}

double seconds_of(const std::chrono::steady_clock::time_point& start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Numbers that depend on where they are in the whole box alone.
std::vector<double> load_of(const slab& part) {
  std::vector<double> b(std::size_t(part.owned));
  const index_t first = part.plane * (part.order * part.below + (part.has_below() ? 1 : 0));
  for (index_t k = 0; k < part.owned; ++k) {
    std::uint64_t h = std::uint64_t(first + k) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    b[std::size_t(k)] = double(h >> 11) / 9007199254740992.0 - 0.5;
  }
  for (const index_t k : part.boundary())
    if (k < part.owned) b[std::size_t(k)] = 0;
  return b;
}

int work(const arguments& a, shared_host& host, int process) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < a.gpus)
    throw error("--gpus " + std::to_string(a.gpus) + ": this machine has " + std::to_string(devices));
  cudaSetDevice(process);
  omp_set_num_threads(std::max(1, omp_get_num_procs() / a.gpus));
  const slab part(a.order, box_for(a), process, a.gpus);
  const bool mass = a.kind == "mass";
  const restriction G = part.unknowns(!mass);
  const std::vector<double> corners = part.corners();
  const std::vector<index_t> sent = part.highest();
  std::vector<double> b = load_of(part), x(b.size());
  const std::size_t bytes = b.size() * sizeof(double);
  const buffer b_there(space_kind::gpu, bytes), x_there(space_kind::gpu, bytes);
  copy_memory(b_there.data(), b.data(), bytes);
  const double unknowns = double(part.plane) * double(part.order * part.cells[2] + 1);
  double first_energy = 0;
  gpu_exchange exchange(part, host);
  const auto start_of_set_up = std::chrono::steady_clock::now();
  // snippet operator
  const fem::distributed_operator<double> A(
      {.dim = 3, .order = 1, .elements = part.elements(), .coordinates = corners.data(), .coefficients = {}}, G,
      {.owned = part.owned, .sent = sent},
      {.kind = mass ? operator_kind::mass : operator_kind::diffusion, .trial = {.order = a.order}, .on = target::cuda},
      exchange.halos());
  const linear_operator<double> M = jacobi(A);
  // end snippet
  if (process == 0) std::printf("[%.1f s: %s]\n", seconds_of(start_of_set_up), A.describe().c_str());
  for (const std::string& name : a.ways) {
    const way by = name == "nccl" ? way::nccl : name == "staged" ? way::staged : way::none;
    exchange.use(by);
    conjugate_gradient<double> solver(A, M,
                                      {.relative = 1e-15, .max_iterations = a.iterations, .sums = exchange.sums()});
    double best = 0, product = 0;
    solve_result found;
    for (int k = 0; k <= a.repetitions; ++k) {  // the first one warms up
      host.meet();
      auto start = std::chrono::steady_clock::now();
      found = solver.solve_from_zero(static_cast<const double*>(b_there.data()), static_cast<double*>(x_there.data()));
      host.meet();
      const double own = seconds_of(start) / found.iterations;
      start = std::chrono::steady_clock::now();
      for (int j = 0; j < a.iterations; ++j)
        A.apply(static_cast<const double*>(b_there.data()), static_cast<double*>(x_there.data()));
      cudaDeviceSynchronize();
      host.meet();
      const double apply = seconds_of(start) / a.iterations;
      if (k > 0) best = k == 1 ? own : std::min(best, own), product = k == 1 ? apply : std::min(product, apply);
    }
    solver.solve_from_zero(static_cast<const double*>(b_there.data()), static_cast<double*>(x_there.data()));
    copy_memory(x.data(), x_there.data(), bytes);
    double energy = 0;  // x.b over all
    for (std::size_t k = 0; k < x.size(); ++k) energy += x[k] * b[k];
    static_cast<double*>(host.memory_of(process))[0] = energy;
    host.meet();
    energy = 0;
    for (int r = 0; r < host.count(); ++r) energy += static_cast<double*>(host.memory_of(r))[0];
    host.meet();
    const bool real = by != way::none || a.gpus == 1;
    if (real && first_energy == 0) first_energy = energy;
    const bool same = !real || std::abs(energy / first_energy - 1) < 1e-10;
    if (process == 0)
      std::printf("%-7s %5d %12.0f %6d %12.3f %12.3f %18.2f %22.15e%s\n", name.c_str(), a.gpus, unknowns,
                  found.iterations, 1e3 * best, 1e3 * product, 1e-9 * unknowns / best, energy,
                  !real  ? "  (wrong: nothing exchanged)"
                  : same ? ""
                         : "  DIFFERENT");
    std::fflush(stdout);
    if (!same) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app(
      "Conjugate gradients over the GPUs of this machine, a process each: ms of an iteration and of a product.");
  app.add_option("--gpus", given.gpus, "Processes, each with a GPU (default: 2)")->check(CLI::Range(1, 16));
  app.add_option("--order", given.order, "Of the elements (default: 4)")->check(CLI::Range(1, 16));
  app.add_option("--unknowns", given.unknowns, "Of each GPU, about (default: 5e6)")->check(CLI::Range(1e3, 1e9));
  app.add_flag("--strong", given.strong, "So many unknowns in all");
  app.add_option("--operator", given.kind, "mass or diffusion (default)")->check(CLI::IsMember({"mass", "diffusion"}));
  app.add_option("--exchange", given.ways, "Of nccl, staged (through the host) and none (default: all three)")
      ->delimiter(',')
      ->check(CLI::IsMember({"nccl", "staged", "none"}));
  app.add_option("--iterations", given.iterations, "Of each solve (default: 50)")->check(CLI::Range(1, 100000));
  app.add_option("--repetitions", given.repetitions, "Solves, of which the fastest counts (default: 3)")
      ->check(CLI::Range(1, 1000));
  if (const auto status = parse(app, argc, argv)) return *status;
  try {
    const std::array<index_t, 3> box = box_for(given);
    const index_t plane = (given.order * box[0] + 1) * (given.order * box[1] + 1);
    shared_host host(given.gpus, (2 * std::size_t(plane) + 64) * sizeof(double));
    std::printf("%-7s %5s %12s %6s %12s %12s %18s %22s\n", "by", "GPUs", "unknowns", "steps", "ms a step",
                "ms a product", "10^9 unknowns/s", "x.b");
    std::fflush(stdout);
    return host.run([&](int process) {
      try {
        return work(given, host, process);
      } catch (const std::exception& e) {
        std::fprintf(stderr, "several_gpus, process %d: %s\n", process, e.what());
        return 2;
      }
    });
  } catch (const std::exception& e) {
    std::fprintf(stderr, "several_gpus: %s\n", e.what());
    return 2;
  }
}
