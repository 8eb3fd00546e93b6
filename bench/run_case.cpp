// SPDX-License-Identifier: BSD-3-Clause
// Runs one case.
#include "run_case.hpp"

#include <algorithm>
#include <cmath>

#include "measure/gpu/device.hpp"
#include "measure/gpu/nvml.hpp"
#include "measure/machine.hpp"
#include "measure/stopwatch.hpp"
#include "power_meter.hpp"

namespace tessera::bench {

namespace {

constexpr double device_stream_bytes = 3.0 * (1 << 30);  // of all operands: 1 GiB each for packed squares
constexpr double host_stream_bytes = 256 << 20;

constexpr double long_case = 5;  // seconds of a pass

const char* const move_ordinary = "movement";
const char* const move_streaming = "movement, streaming stores";

bool on_gpu(const setting& s) { return space_of(s) == space_kind::gpu; }

// The type of the sums' parts: half and bfloat16 are multiplied in float.
scalar_type arithmetic_of(const options& o) {
  const bool in_double = o.type.sum == scalar_type::f64 || o.type.sum == scalar_type::c64;
  return in_double ? scalar_type::f64 : scalar_type::f32;
}

// One run from the initial output, checked.
verdict try_once(workload& work, const setting& s, const way& w, const checker& compare) {
  if (work.accumulates())
    work.out().fill();
  else
    work.out().fill_nan();
  run_for_profiler(s, w.name, w.run);
  return compare();
}

void add_movement(const workload& work, const setting& s, std::vector<contender>& all) {
  if (on_gpu(s)) {
    // The speed of copying does not depend on the clock: the measurement at the start also holds under sustained load.
    if (s.with.heat == thermal::cool) all.push_back({move_ordinary, device::copy_pass(std::size_t(work.bytes))});
    return;
  }
  arrays moved;
  const auto place = [](const data& d, auto*& p, std::size_t& n) {
    p = static_cast<double*>(d.memory());
    n = d.memory_bytes() / sizeof(double);
  };
  place(work.operands[0], moved.a, moved.na);
  // A contraction like (9) reads its first operand twice; the second copy is a table and counts little.
  place(work.operands[work.operands.size() - 2], moved.b, moved.nb);
  place(work.out(), moved.c, moved.nc);
  const bool accumulate = work.accumulates();
  const int threads = s.with.threads;
  all.push_back({move_ordinary, [=] { move_once(moved, accumulate, false, threads); }});
  if (!accumulate && work.bytes > double(this_machine().llc_bytes))
    all.push_back({move_streaming, [=] { move_once(moved, false, true, threads); }});
}

bound bound_of(const workload& work, const setting& s, const std::string& row, const std::vector<contender>& all,
               const std::vector<timing>& times) {
  bound b;
  double move_seconds = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == move_ordinary || all[i].name == move_streaming)
      move_seconds = std::min(move_seconds, times[i].seconds.median);
  if (!std::isfinite(move_seconds)) move_seconds = work.bytes / s.device_bandwidth;
  b.bandwidth = work.bytes / move_seconds;
  b.peak = s.roof > 0 ? s.roof : on_gpu(s) && row.find("tensor cores") != std::string::npos ? s.matrix_peak : s.peak;
  const double flop_seconds = work.flops / b.peak;
  b.seconds = std::max(move_seconds, flop_seconds);
  if (flop_seconds > move_seconds) b.by = "flops";
  b.honest = flop_seconds > move_seconds ? work.honest_flops : honest_movement(space_of(s), work.bytes);
  return b;
}

// The peers that take part, and those that were not found.
std::string text_of(const std::vector<peer>& peers, space_kind space) {
  std::string found, missing;
  for (const peer& p : peers) {
    if (p.space != space) continue;
    std::string& list = p.found ? found : missing;
    list += (list.empty() ? "" : ", ") + p.name;
    if (!p.found) list += " (" + p.version + ")";
  }
  return "peers: " + (found.empty() ? "none" : found) + (missing.empty() ? "" : "; not found: " + missing);
}

}  // namespace

void measure_again(setting& s) {
  if (s.measure_roof) s.roof = std::max(s.roof, s.measure_roof());
  const scalar_type arithmetic = arithmetic_of(s.with);
  if (!on_gpu(s)) {
    s.peak = std::max(s.peak, bench::fma_peak(arithmetic, s.with.threads));
    return;
  }
  const double bytes = s.with.in == regime::cache ? device_cache_bytes : device_stream_bytes;
  s.peak = std::max(s.peak, device::fma_peak(arithmetic, false));
  s.matrix_peak = std::max(s.matrix_peak, device::fma_peak(arithmetic, true));
  s.device_bandwidth = std::max(s.device_bandwidth, device::copy_bandwidth(std::size_t(bytes)));
}

void run_for_profiler(const setting& s, const std::string& impl, const std::function<void()>& pass) {
  if (on_gpu(s) && (s.with.profiled == "all" || s.with.profiled == impl))
    device::run_for_profiler(pass);
  else
    pass();
}

protocol protocol_for(const setting& s) {
  protocol p;
  p.reps = {.least = s.with.reps, .most = 4 * s.with.reps, .largest_rrs = 0.02};
  p.instruments = {cpu_energy_joules, measured_clock_mhz, involuntary_switches};
  if (on_gpu(s)) {
    p.time = device::seconds;
    p.instruments = {gpu_joules, nvml::clock_mhz, {}};
    p.idle_before = s.with.heat == thermal::cool ? 1 : 0;
  }
  p.sustain = s.with.heat == thermal::sustained ? 3 : 0;
  return p;
}

plan_options options_of_plans(const setting& s) {
  plan_options options{s.on, s.with.threads};
  options.regime = s.with.assumed;
  return options;
}

space_kind space_of(const setting& s) { return s.on == target::cuda ? space_kind::gpu : space_kind::cpu; }

setting make_setting(const options& o, const std::vector<peer>& peers, report& to) {
  setting s;
  s.with = o;
  s.on = o.target_name == "best" ? default_cpu_target() : target_from_name(o.target_name);
  if (!is_available(s.on))
    throw error("target: '" + o.target_name + "' is not available on this machine or in this build", status::no_target);
  s.peers = peers;
  s.progress = [&to](const std::string& line) { to.note(line); };
  to.note(text_of(peers, space_of(s)));
  const auto add = [&](const char* what, const std::string& where, const char* type, double rate, const char* unit) {
    to.add(limit{what, where, type, o.threads, unit, summarise({rate * 1e-9})});
  };
  s.memory = std::make_shared<memory_model>(space_of(s), o.threads);
  to.predict_with(s.memory);
  measure_again(s);
  const scalar_type arithmetic = arithmetic_of(o);
  if (on_gpu(s)) {
    add("copy, best", o.in == regime::cache ? "L2" : "DRAM", "", s.device_bandwidth, "GB/s");
    add("mma", "cuda", name_of(arithmetic), s.matrix_peak, "GFLOP/s");
  }
  add("fma", on_gpu(s) ? "cuda" : "best", name_of(arithmetic), s.peak, "GFLOP/s");
  return s;
}

index_t batch_for(const setting& s, double bytes_per_entry) {
  if (s.with.batch) return *s.with.batch;
  const machine& m = this_machine();
  const bool gpu = on_gpu(s);
  double bytes = 0;
  switch (s.with.in) {
    case regime::paper: return gpu ? 100'000 : 10'000;
    case regime::cache: bytes = gpu ? device_cache_bytes : double(m.l2_bytes) / 2 * s.with.threads; break;
    case regime::stream:
      bytes = gpu ? device_stream_bytes : std::max(4.0 * double(m.llc_bytes), host_stream_bytes);
      return index_t(bytes / bytes_per_entry) + 1;
  }
  return std::max<index_t>(1, index_t(bytes / bytes_per_entry));
}

gemm_call call_for(const workload& work, const setting& s) {
  gemm_call call = *work.as_gemm;
  call.space = space_of(s);
  const auto input = [&](int o) -> const void* {
    return o < 0 ? work.table->data() : work.operands[std::size_t(o)].place().data;
  };
  call.a = input(work.left);
  call.b = input(work.right);
  call.c = const_cast<void*>(work.out().place().data);
  call.batch = work.batch();
  call.threads = s.with.threads;
  return call;
}

std::vector<operand> place(workload& work, const setting& s) {
  std::vector<operand> operands;
  for (std::size_t i = 0; i < work.operands.size(); ++i) {
    data& d = work.operands[i];
    if (on_gpu(s)) d.move_to_device();
    if (i + 1 < work.operands.size()) d.provide();  // each run fills its output
    const bool grouped = i < work.as_groups.size() && work.as_groups[i];
    operands.push_back(grouped ? d.as_group() : d.place());
    operands.back().conjugated = i < std::size_t(max_inputs) && work.conjugated[i];
  }
  return operands;
}

case_results measured(workload& work, setting& s, const std::vector<way>& ways, const plan& ours) {
  return measured(work, s, ways, name_of(ours.where()), ours.describe(detail_level::brief),
                  [&] { return check(work); });
}

case_results measured(workload& work, setting& s, const std::vector<way>& ways, const std::string& on,
                      const std::string& row, const checker& compare) {
  std::vector<contender> all;
  std::vector<result> results;
  for (const way& w : ways) {
    all.push_back({w.name, w.run});
    const stopwatch watch;
    const verdict checked = try_once(work, s, w, w.compare ? w.compare : compare);
    if (watch.seconds() > long_case && s.progress)
      s.progress(work.label + ": a run of " + w.name + " and its check took " + duration(watch.seconds()) +
                 "; at least seven runs follow");
    results.push_back({.impl = w.name,
                       .time = timing{},
                       .checked = checked,
                       .describe = w.describe,
                       .brief = w.brief,
                       .is_peer = !w.compare});
  }
  add_movement(work, s, all);
  const measurement m =
      measure_until_trusted(all, ways.size(), protocol_for(s), [&](const std::vector<timing>& times, bool again) {
        if (again) measure_again(s);
        return bound_of(work, s, row, all, times);
      });
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].time = m.times[i];
    results[i].suspect = m.suspect[i];
  }
  return {work.label, work.facts, on, row, work.flops, work.bytes, m.limit, std::move(results), m.measured, work.place};
}

void run_case(workload work, setting& s, report& to) {
  const std::vector<operand> operands = place(work, s);
  const int count = int(operands.size());
  const plan planned = make_plan_of(work.what, operands.data(), count, options_of_plans(s));

  std::vector<way> ways{{"tessera", [&] { planned.run_operands(operands.data(), count, {}); }, planned.describe()}};
  if (work.as_gemm) {
    const gemm_call call = call_for(work, s);
    for (const peer& p : s.peers) {
      if (!p.found || p.space != call.space || (is_complex_type(call.type) && !p.takes_complex)) continue;
      if (pass run = p.prepare(call)) ways.push_back({p.name, std::move(run), p.version});
    }
  }
  to.add(measured(work, s, ways, planned));
}

}  // namespace tessera::bench
