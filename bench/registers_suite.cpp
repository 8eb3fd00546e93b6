// SPDX-License-Identifier: BSD-3-Clause
// Suite registers: multiply-adds of threads that hold many registers, so that few of them are resident.
#include <cstdio>
#include <limits>
#include <string>

#include <tessera/error.hpp>

#include "gpu/register_kernels.hpp"
#include "measure/gpu/device.hpp"
#include "models/throughput.hpp"
#include "run_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

constexpr double fma_latency = 4;  // cycles, of capabilities 7.0 to 9.0
constexpr int lanes = 32;

// Issue is the only bound that the model knows; its time is that of the peak over the part that can be issued.
prediction issue_prediction(const device::register_kernel& k, double peak) {
  const models::multiprocessor on = models::with_threads(device::this_device().threads);
  const double warps = double(k.resident_blocks) * k.threads / lanes / on.schedulers;
  const double part = models::issue_fraction(warps, k.chains, fma_latency);
  return {.seconds = part > 0 ? k.flops / (part * peak) : std::numeric_limits<double>::infinity(),
          .by = "flops",
          .level = "registers",
          .bandwidth = std::numeric_limits<double>::infinity(),
          .peak = part * peak};
}

case_results register_results(const device::register_kernel& k, setting& s) {
  run_for_profiler(s, "multiply-adds", k.run);
  const long wrong = k.wrong();
  const measurement m = measure_until_trusted({{"multiply-adds", k.run}}, 1, protocol_for(s),
                                              [&](const std::vector<timing>&, bool again) -> bound {
                                                if (again) measure_again(s);
                                                return {.seconds = k.flops / s.peak, .by = "flops", .peak = s.peak};
                                              });
  const models::multiprocessor on = models::with_threads(device::this_device().threads);
  const double occupancy = double(k.resident_blocks) * k.threads / lanes / on.warps;
  return {.label = "held " + std::to_string(k.held) + ", chains " + std::to_string(k.chains),
          .facts = {{"held", k.held},
                    {"chains", k.chains},
                    {"registers", k.registers},
                    {"local_bytes", k.local_bytes},
                    {"threads_per_block", k.threads},
                    {"resident_blocks", k.resident_blocks},
                    {"occupancy", occupancy},
                    {"occupancy_by_registers", models::occupancy(k.registers, k.threads, on)}},
          .target = name_of(s.on),
          .row = k.local_bytes > 0 ? "spilled" : "",
          .flops = k.flops,
          .bytes = 0,
          .limit = m.limit,
          .all = {{.impl = "multiply-adds",
                   .time = m.times.front(),
                   .checked = {double(wrong), 0},
                   .describe = std::to_string(k.registers) + " registers a thread",
                   .suspect = m.suspect.front()}},
          .measured = m.measured,
          .predicted = issue_prediction(k, s.peak)};
}

}  // namespace

int run_registers(const options& given) {
  options o = given;
  if (o.target_name != "cuda") throw error("registers: a suite of GPUs, --target cuda");
  o.type = scalar_type::f32;
  report to(o, {});
  setting s = make_setting(o, {}, to);
  to.note(
      "as many multiply-adds in f32 by threads that hold more and more numbers; occupancy: of the driver, and of "
      "the model by registers; part: of the peak, and of the model by issue");
  char text[160];
  std::snprintf(text, sizeof text, "%-22s %9s %6s %6s %6s | %10s %8s %7s %7s", "case", "registers", "blocks", "occup.",
                "model", "time", "TFLOP/s", "part", "model");
  to.note(text);
  for (const device::register_kernel& k : device::register_kernels(o.waves)) {
    const case_results c = register_results(k, s);
    to.keep(c);
    const double seconds = c.all.front().time.seconds.median;
    std::snprintf(text, sizeof text, "%-22s %9d %6d %5.1f%% %5.1f%% | %10s %8.2f %6.1f%% %6.1f%%", c.label.c_str(),
                  k.registers, k.resident_blocks, 100 * c.facts["occupancy"].get<double>(),
                  100 * c.facts["occupancy_by_registers"].get<double>(), duration(seconds).c_str(),
                  k.flops / seconds * 1e-12, 100 * c.limit.seconds / seconds,
                  100 * c.limit.seconds / c.predicted->seconds);
    to.note(text + (c.row.empty() ? "" : "  " + c.row) + (c.all.front().checked.correct() ? "" : "  WRONG") +
            mark_of(c.all.front()));
  }
  return to.finish();
}

}  // namespace tessera::bench
