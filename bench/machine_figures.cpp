// SPDX-License-Identifier: BSD-3-Clause
// Gathers the figures of a machine.
#include "machine_figures.hpp"

#include <algorithm>
#include <cmath>

#include <tessera/error.hpp>
#include <tessera/numa.hpp>

#include "energy_loads.hpp"
#include "gpu/host_copies.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "measure/measure.hpp"
#include "measure/stopwatch.hpp"
#include "models/known_machines.hpp"
#include "on_node.hpp"
#include "power_meter.hpp"
#include "prediction.hpp"

namespace tessera::bench {

namespace {

constexpr double energy_seconds = 2;  // of a run whose energy is read: power settles after more than a second

models::energy_run energy_of(const energy_load& what, const timer& time, double (*joules)()) {
  long passes = 1;
  while (time(what.pass, passes) < 0.05) passes *= 2;
  for (const stopwatch hot; hot.seconds() < energy_seconds;) time(what.pass, passes);
  models::energy_run run;
  const double before = joules();
  const stopwatch watch;
  for (double count = double(passes); watch.seconds() < energy_seconds; time(what.pass, passes)) {
    run.flops += what.flops * count;
    run.bytes += what.bytes * count;
  }
  run.seconds = watch.seconds();
  run.joules = joules() - before;
  return run;
}

// By copies, multiply-adds, and hardly anything: what tells the three parts of the energy from each other.
void add_energy(machine_figures& to, const std::vector<energy_load>& loads, const timer& time, double (*joules)()) {
  to.why_no_energy = "there is no meter here";
  if (!std::isfinite(joules())) return;
  std::vector<models::energy_run> runs;
  runs.reserve(loads.size());
  for (const energy_load& l : loads) runs.push_back(energy_of(l, time, joules));
  const bool counted = std::all_of(runs.begin(), runs.end(), [](const models::energy_run& r) { return r.joules > 0; });
  if (counted) to.energy = models::fit_energy(runs);
  to.why_no_energy = "the energies of copies, multiply-adds and of hardly anything fit no model";
}

std::vector<double> sizes_of_transfers() {
  std::vector<double> all;
  for (double bytes = 4096; bytes <= 64.0 * (1 << 20); bytes *= 4) all.push_back(bytes);
  return all;
}

void add_host_paths(machine_figures& to, int reps) {
  const std::vector<int> nodes = numa_nodes();
  for (const int node : nodes) {
    const on_node here(node);
    if (!here.moved() && nodes.size() > 1) continue;
    const std::string name = "node " + std::to_string(node);
    using device::copy_direction;
    const auto line = [&](copy_direction direction) {
      return models::fit_transfers(device::time_host_copies(direction, sizes_of_transfers(), reps));
    };
    to.paths.push_back({"host, " + name + ", to GPU", line(copy_direction::to_device), "to GPU"});
    to.paths.push_back({"GPU to host, " + name, line(copy_direction::to_host), "to host"});
  }
}

machine_figures measured_gpu(const options& o) {
  const device::facts& gpu = device::this_device();
  machine_figures made{.name = gpu.name, .peaks = {}, .capacities = {}};
  made.peaks = {{"f64", device::fma_peak(scalar_type::f64, false)}, {"f32", device::fma_peak(scalar_type::f32, false)}};
  for (const device::matrix_unit unit : {device::matrix_unit::f64, device::matrix_unit::tf32})
    if (const double rate = device::matrix_peak(unit); rate > 0)
      made.peaks.push_back({unit == device::matrix_unit::f64 ? "f64 matrix" : "tf32", rate});
  memory_model memory(space_kind::gpu, 1);
  for (const memory_level& level : memory.measured()) made.paths.push_back({"copy in " + level.name, level.line});
  made.bandwidth = memory.measured().back().line.bandwidth;
  made.latency = memory.measured().front().line.latency;
  made.capacities = {{"GPU memory", index_t(gpu.memory_bytes)},
                     {"shared memory", index_t(gpu.shared_bytes)},
                     {"L2", index_t(gpu.l2_bytes)}};
  add_host_paths(made, o.reps);
  const device::chain_pass chains = device::fma_pass(scalar_type::f64);
  constexpr double large = 2.0 * (1 << 30), small = 1 << 16;
  add_energy(made,
             {{device::copy_pass(std::size_t(large)), 0, large},
              {chains.run, chains.flops, 0},
              {device::copy_pass(std::size_t(small)), 0, small}},
             device::seconds, gpu_joules);
  return made;
}

machine_figures measured_cpu(const options& o) {
  const machine& m = this_machine();
  machine_figures made{.name = m.cpu + ", threads: " + std::to_string(o.threads), .peaks = {}, .capacities = {}};
  made.peaks = {{"f64", fma_peak(scalar_type::f64, o.threads)}, {"f32", fma_peak(scalar_type::f32, o.threads)}};
  memory_model memory(space_kind::cpu, o.threads);
  for (const memory_level& level : memory.measured()) made.paths.push_back({"copy in " + level.name, level.line});
  made.bandwidth = memory.measured().back().line.bandwidth;
  made.capacities = {{"memory", index_t(m.memory_bytes)}, {"L2 of a core", index_t(m.l2_bytes)}};
  if (o.threads > 1) {
    memory_model of_one(space_kind::cpu, 1);
    made.speedups = {{"multiply-adds in f64", o.threads, fma_peak(scalar_type::f64, 1), made.peaks.front().rate},
                     {"copying in memory", o.threads, of_one.measured().back().line.bandwidth, made.bandwidth}};
  }
  add_energy(made, energy_loads_of_cpu(o.threads), host_seconds, cpu_energy_joules);
  return made;
}

}  // namespace

models::roofline machine_figures::roof(const std::string& type) const {
  for (const peak& p : peaks)
    if (p.type == type) return {p.rate, bandwidth};
  throw error("models: the peak of " + type + " is not known; give it by --peak-" + type);
}

machine_figures given_machine(const std::string& name) {
  const models::known_machine& m = models::machine_called(name);
  return {.name = std::string(m.name) + " by its data sheet",
          .bandwidth = m.bandwidth,
          .peaks = {{"f64", m.peak_f64}, {"f32", m.peak_f32}, {"tf32", m.peak_tf32}},
          .capacities = {{"GPU memory", m.memory_bytes}, {"shared memory", m.shared_bytes}, {"L2", m.l2_bytes}}};
}

machine_figures measured_machine(const options& o, bool gpu) { return gpu ? measured_gpu(o) : measured_cpu(o); }

void apply_given_rates(machine_figures& of, const model_choice& given) {
  if (given.bandwidth_gb_s) of.bandwidth = *given.bandwidth_gb_s * 1e9;
  const auto set = [&](const char* type, const std::optional<double>& tflop_s) {
    if (!tflop_s) return;
    for (machine_figures::peak& p : of.peaks)
      if (p.type == type) return void(p.rate = *tflop_s * 1e12);
    of.peaks.push_back({type, *tflop_s * 1e12});
  };
  set("f64", given.f64_tflop_s);
  set("f32", given.f32_tflop_s);
  set("tf32", given.tf32_tflop_s);
  if (!given.base_watts && !given.pj_per_flop && !given.pj_per_byte) return;
  if (!of.energy && !(given.base_watts && given.pj_per_flop && given.pj_per_byte))
    throw error("models: --base-watts, --pj-per-flop and --pj-per-byte: all three where energy was not measured");
  models::energy_model made = of.energy.value_or(models::energy_model{});
  if (given.base_watts) made.base_watts = *given.base_watts;
  if (given.pj_per_flop) made.joules_per_flop = *given.pj_per_flop * 1e-12;
  if (given.pj_per_byte) made.joules_per_byte = *given.pj_per_byte * 1e-12;
  made.worst_fit = 0;
  of.energy = made;
}

}  // namespace tessera::bench
