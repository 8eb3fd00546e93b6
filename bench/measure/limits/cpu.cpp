// SPDX-License-Identifier: BSD-3-Clause
// Measures the limits of this CPU.
#include "measure/limits/cpu.hpp"

#include <algorithm>
#include <bit>

#include <tessera/memory.hpp>

#include "measure/limits/isa.hpp"
#include "measure/machine.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::bench {

namespace {

constexpr double sample_seconds = 2e-3;

// Rates of `reps` samples, each of one parallel region in which every thread makes `passes` passes.
template <class Pass>
std::vector<double> sample_rates(int threads, int reps, double work_per_pass, const Pass& pass) {
  const auto run = [&](long passes) {
    const stopwatch watch;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(static)
      for (int t = 0; t < threads; ++t)
        for (long i = 0; i < passes; ++i) pass(t);
    }
    return watch.seconds();
  };
  // The shortest of three, since an interrupted run would look long enough.
  const auto shortest = [&](long passes) { return std::min({run(passes), run(passes), run(passes)}); };
  long passes = 1;
  run(passes);  // the first touch of code and data
  for (double seconds; (seconds = shortest(passes)) < sample_seconds;) passes *= seconds > sample_seconds / 8 ? 2 : 8;
  std::vector<double> rates;
  for (int attempts = 1; int(rates.size()) < reps; ++attempts) {
    const long switches = involuntary_switches();
    const double rate = work_per_pass * double(passes) / run(passes);
    // An interrupted sample is not a limit; but the number of repetitions is bounded on a busy machine.
    if (involuntary_switches() == switches || attempts >= 8 * reps) rates.push_back(rate);
  }
  return rates;
}

std::vector<double> fma_rates(const isa_kernels& isa, scalar_type type, int threads, int reps) {
  constexpr long rounds = 2000;
  const auto chains = type == scalar_type::f64 ? isa.fma_f64 : isa.fma_f32;
  return sample_rates(threads, reps, chains(rounds) * threads, [&](int) { chains(rounds); });
}

struct level {
  const char* name;
  std::size_t array_bytes;  // of each array, for one thread
};

std::vector<level> levels(int threads) {
  const machine& m = this_machine();
  const std::size_t many = std::size_t(threads);
  std::vector<level> all{{"L1", m.l1_bytes / 4}, {"L2", m.l2_bytes / 6}};
  if (m.has_l3) all.push_back({"L3", std::min(m.llc_bytes / 8, 3 * m.l2_bytes) / many});
  all.push_back({"DRAM", std::max<std::size_t>(4 * m.llc_bytes, 256u << 20) / many});
  return all;
}

struct movement_case {
  const char* what;
  int streams;  // bytes counted, in units of the array
  bool streaming;
  void (*run)(const isa_kernels&, double* a, double* b, double* c, std::size_t n);
};

constexpr movement_case movements[] = {
    {"read", 1, false, [](const isa_kernels& k, double* a, double*, double*, std::size_t n) { k.read(a, n); }},
    {"write", 1, false, [](const isa_kernels& k, double*, double*, double* c, std::size_t n) { k.write(c, n); }},
    {"copy", 2, false, [](const isa_kernels& k, double* a, double*, double* c, std::size_t n) { k.copy(c, a, n); }},
    {"triad", 3, false,
     [](const isa_kernels& k, double* a, double* b, double* c, std::size_t n) { k.triad(c, a, b, n); }},
    {"update", 4, false,
     [](const isa_kernels& k, double* a, double* b, double* c, std::size_t n) { k.update(c, a, b, n); }},
    {"write streaming", 1, true,
     [](const isa_kernels& k, double*, double*, double* c, std::size_t n) { k.write_streaming(c, n); }},
    {"copy streaming", 2, true,
     [](const isa_kernels& k, double* a, double*, double* c, std::size_t n) { k.copy_streaming(c, a, n); }},
    {"triad streaming", 3, true,
     [](const isa_kernels& k, double* a, double* b, double* c, std::size_t n) { k.triad_streaming(c, a, b, n); }},
};

// Each thread has its own part of three arrays, a line apart so that they do not use the same cache sets.
void measure_level(const level& l, int threads, int reps, std::vector<limit>& all, const progress_function& progress) {
  const isa_kernels& isa = *available_isas().back();
  const std::size_t n = l.array_bytes / sizeof(double) / 512 * 512, stride = 3 * (n + 64);
  const buffer memory(space_kind::cpu, std::size_t(threads) * stride * sizeof(double));
  double* const base = static_cast<double*>(memory.data());
  std::fill_n(base, std::size_t(threads) * stride, std::bit_cast<double>(written_bits));  // zeros are copied faster
  const bool in_memory = std::string_view(l.name) == "DRAM";
  for (const movement_case& m : movements) {
    if (m.streaming && !(in_memory && isa.streams)) continue;
    const double bytes = double(m.streams) * double(n * sizeof(double)) * threads;
    auto rates = sample_rates(threads, reps, bytes * 1e-9, [&](int t) {
      double* const mine = base + std::size_t(t) * stride;
      m.run(isa, mine, mine + n + 64, mine + 2 * (n + 64), n);
    });
    all.push_back({m.what, l.name, "", threads, "GB/s", summarise(rates)});
    if (progress) progress(all.back());
  }
}

}  // namespace

double fma_peak(scalar_type type, int threads) {
  double best = 0;
  for (const isa_kernels* isa : available_isas())
    for (double rate : fma_rates(*isa, type, threads, 7)) best = std::max(best, rate);
  return best;
}

std::vector<limit> measure_cpu_limits(const std::vector<int>& threads, int reps, const progress_function& progress) {
  std::vector<limit> all;
  for (int count : threads) {
    for (const isa_kernels* isa : available_isas()) {
      for (scalar_type type : {scalar_type::f64, scalar_type::f32}) {
        auto rates = fma_rates(*isa, type, count, reps);
        for (double& rate : rates) rate *= 1e-9;
        all.push_back({"fma", isa->name, name_of(type), count, "GFLOP/s", summarise(rates)});
        if (progress) progress(all.back());
      }
    }
    for (const level& l : levels(count)) measure_level(l, count, reps, all, progress);
  }
  return all;
}

}  // namespace tessera::bench
