// SPDX-License-Identifier: BSD-3-Clause
// CPUs: the system's compiler and one worker per case. The GPU: NVRTC and one worker for all cases.
#include "command/tuned_device.hpp"

#include <algorithm>

#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/memory.hpp>
#include <tessera/version.hpp>

#include "measure/limits/cpu.hpp"
#include "measure/machine.hpp"
#include "measure/statistics.hpp"
#include "measure/stopwatch.hpp"
#include "space/element_run_space.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"
#include "work/build_facts.hpp"
#include "work/cpu_evaluator.hpp"
#include "work/element_evaluator.hpp"
#include "work/gpu_evaluator.hpp"
#include "work/kernel_timing.hpp"

namespace tessera::tune {

namespace {

std::string version_text() {
  return std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch);
}

// Bandwidth in bytes per second over three arrays of `bytes` in all, by one thread.
double cpu_bandwidth(std::size_t bytes) {
  const std::size_t each = bytes / 3 / sizeof(double) / 64 * 64;
  const buffer memory(space_kind::cpu, 3 * each * sizeof(double));
  double* const a = static_cast<double*>(memory.data());
  const bench::arrays all{a, a + each, a + 2 * each, each, each, each};
  const bool streaming = bytes > bench::this_machine().llc_bytes;
  std::vector<double> seconds;
  for (int i = 0; i < 9; ++i) {
    const long passes = std::max<long>(1, long((std::size_t{16} << 20) / bytes));
    const bench::stopwatch watch;
    for (long pass = 0; pass < passes; ++pass) bench::move_once(all, false, streaming, 1);
    seconds.push_back(watch.seconds() / double(passes));
  }
  return 3.0 * double(each) * sizeof(double) / bench::median(seconds);
}

// Tensor cores multiply doubles twice as fast as the FMA that the peak is measured with.
double honest_flops(const tuning_case& c) { return c.on == target::cuda && c.type == scalar_type::f64 ? 2 : 1; }

class cpu_device final : public tuned_device {
 public:
  explicit cpu_device(target on) {
    limits_ = measured_limits();
    gemm_ = gemm_family(on);
    facts_.device = device_name(on);
    facts_.target = name_of(on);
    facts_.compiler = compiler_.version();
    facts_.flags = compiler_.flags_text(on);
    facts_.source_hash = kernel_source_hash(on);
    facts_.tessera = version_text();
  }

  void warm_up(const std::vector<tuning_case>& cases, const std::vector<std::vector<config>>& likely) override {
    std::vector<candidate> all;
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const config& c : likely[i]) {
        if (cases[i].element) continue;  // the library's own kernels
        // Both regimes use one compiled kernel.
        candidate wanted{cases[i], c};
        wanted.of.in = memory_regime::cache;
        if (std::find(all.begin(), all.end(), wanted) == all.end()) all.push_back(wanted);
      }
    if (!all.empty()) compiler_.compile(all);
  }
  std::unique_ptr<evaluator> evaluator_for(const tuning_case& c, const std::vector<config>& configs) override {
    if (c.element) return std::make_unique<element_evaluator>(c, configs);
    return std::make_unique<cpu_evaluator>(c, configs, compiler_);
  }

 private:
  machine_limits measured_limits() override {
    machine_limits l;
    l.bandwidth_cache = cpu_bandwidth(operand_bytes(memory_regime::cache));
    l.bandwidth_stream = cpu_bandwidth(operand_bytes(memory_regime::stream));
    l.flops_f32 = bench::fma_peak(scalar_type::f32, 1);
    l.flops_f64 = bench::fma_peak(scalar_type::f64, 1);
    l.clock = 1e6 * bench::measured_clock_mhz();
    return l;
  }

  cpu_compiler compiler_;
};

class gpu_device final : public tuned_device {
 public:
  gpu_device() : worker_(default_worker_program()) {
    if (const std::string problem = why_no_jit(); !problem.empty())
      throw error("cannot tune the GPU: " + problem + "; install the CUDA toolkit's NVRTC", status::no_device);
    settings_.cache = default_cache_folder();
    const nlohmann::json here = asked("gpu device");
    settings_.architecture = here.at("capability");
    limits_ = measured_limits();
    limits_.multiprocessors = here.at("multiprocessors");
    limits_.clock = 1e6 * here.at("clock_mhz").get<double>();
    // 128 bytes a clock and multiprocessor.
    limits_.shared_bandwidth = 128.0 * limits_.clock * limits_.multiprocessors;
    gemm_ = gpu_gemm_family(settings_.architecture);
    facts_.device = here.at("name");
    facts_.target = name_of(target::cuda);
    facts_.compute_capability =
        std::to_string(settings_.architecture / 10) + "." + std::to_string(settings_.architecture % 10);
    facts_.driver = here.at("driver");
    facts_.toolkit = here.at("toolkit");
    facts_.compiler = "NVRTC " + facts_.toolkit;
    facts_.flags = "--gpu-architecture=sm_" + std::to_string(settings_.architecture);
    facts_.source_hash = kernel_source_hash(target::cuda);
    facts_.tessera = version_text();
  }

  // Each search compiles its own candidates: NVRTC takes a tenth of a second, on all cores at once.
  void warm_up(const std::vector<tuning_case>&, const std::vector<std::vector<config>>&) override {}
  std::unique_ptr<evaluator> evaluator_for(const tuning_case& c, const std::vector<config>& configs) override {
    return std::make_unique<gpu_evaluator>(c, configs, worker_, settings_);
  }

 private:
  // Of the measured kernels; the rest is known.
  machine_limits measured_limits() override {
    const nlohmann::json limits = asked("gpu limits");
    machine_limits l;
    l.bandwidth_stream = limits.at("bandwidth_stream");
    l.bandwidth_cache = limits.at("bandwidth_cache");
    l.flops_f32 = limits.at("flops_f32");
    l.flops_f64 = limits.at("flops_f64");
    return l;
  }
  nlohmann::json asked(const char* what) {
    const worker_process::answer a = worker_.ask({.on = target::cuda}, {{"do", what}}, 120);
    if (a.how != outcome::ok || a.reply.at("how") != "ok")
      throw error("cannot tune the GPU: " + (a.how == outcome::ok ? a.reply.value("reason", "") : a.reason),
                  status::no_device);
    return a.reply;
  }

  gpu_worker worker_;
  gpu_settings settings_;
};

}  // namespace

const family& tuned_device::family_of(const tuning_case& c) const {
  if (c.is_of_matrices()) return matrix_family();
  return !c.element ? gemm_ : c.on == target::cuda ? element_family() : element_run_family();
}

record_file tuned_device::facts_of(const std::string& family_name) const {
  record_file f = facts_;
  f.family = family_name;
  if (family_name == "matrix") f.source_hash = matrix_source_hash();
  if (family_name != "element") return f;
  const target on = target_from_name(f.target);
  f.source_hash = element_source_hash(on);
  // The kernels are those of this build.
  if (on != target::cuda) f.flags += std::string(", rows ") + build::rows;
  return f;
}

bench::bound tuned_device::bound(const tuning_case& c) const {
  const double bandwidth = c.in == memory_regime::cache ? limits_.bandwidth_cache : limits_.bandwidth_stream;
  const double peak = c.type == scalar_type::f32 ? limits_.flops_f32 : limits_.flops_f64;
  const auto limit = [&](double moved, double flops) {
    const double moving = moved / bandwidth, computing = flops > 0 ? flops / peak : 0;
    if (computing > moving) return bench::bound{.seconds = computing, .by = "flops", .honest = honest_flops(c)};
    return bench::bound{.seconds = moving, .honest = c.in == memory_regime::cache ? bench::honest_in_cache : 1};
  };
  if (c.element) {
    return limit(double(numbers_of(*c.element).moved()) * double(size_of(c.type)), 0);
  }
  const double bytes = double(size_of(c.type)), out = bytes * double(c.m * c.n),
               in = bytes * ((is_shared(c.layouts.left) ? 0 : double(c.m * c.k)) +
                             (is_shared(c.layouts.right) ? 0 : double(c.k * c.n)));
  const double flops = 2.0 * double(c.m * c.n) * double(c.k);
  const bench::bound assign = limit(in + out, flops), add = limit(in + 2 * out, flops);
  return {.seconds = of_both(c.layouts, assign.seconds, add.seconds),
          .by = add.by,
          .honest = of_both(c.layouts, assign.honest, add.honest)};
}

void tuned_device::measure_limits_again() {
  const machine_limits again = measured_limits();
  for (double machine_limits::*limit : {&machine_limits::bandwidth_cache, &machine_limits::bandwidth_stream,
                                        &machine_limits::flops_f32, &machine_limits::flops_f64, &machine_limits::clock})
    limits_.*limit = std::max(limits_.*limit, again.*limit);
}

std::unique_ptr<tuned_device> device_for(target on) {
  if (on == target::cuda) return std::make_unique<gpu_device>();
  return std::make_unique<cpu_device>(on);
}

}  // namespace tessera::tune
