// SPDX-License-Identifier: BSD-3-Clause
// The demo's table, summary and JSON.
#include "demo_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tessera::demo {

void print_head(const facts& about) {
  std::printf("CPU: %s, %d threads, kernels for %s, FMA peak %.1f GFLOP/s\n", about.cpu.c_str(), about.threads,
              about.target.c_str(), about.measured.cpu_flops * 1e-9);
  if (about.measured.gpu_flops > 0)
    std::printf("GPU: %s, FMA peak %.0f GFLOP/s\n", about.gpu.c_str(), about.measured.gpu_flops * 1e-9);
  else
    std::printf("GPU: %s\n", about.gpu.c_str());
  std::printf(
      "\nMass operator on a deformed hexahedral mesh, double, q = p + 2 Gauss points a direction.\n"
      "Fraction: of the bound, the larger of bytes / limit and flops / FMA peak.\n"
      "Limit: GB/s of plain movement of as many bytes, timed in turn with the case.\n\n"
      "%-5s %-9s %2s %9s %10s %9s %8s %9s %6s  %-6s %8s  %s\n",
      "where", "what", "p", "elements", "time [ms]", "GFLOP/s", "GB/s", "fraction", "limit", "bound", "error", "check");
}

void print_row(const outcome& r) {
  std::printf("%-5s %-9s %2d %9lld %10.3f %9.2f %8.2f %8.1f%% %6.1f  %-6s %8.1e  %s\n", name_of(r.space),
              name_of(r.what), r.p, r.elements, r.seconds * 1e3, r.flops / r.seconds * 1e-9, r.bytes / r.seconds * 1e-9,
              100 * r.fraction(), r.bandwidth * 1e-9, r.bound_by_bytes ? "bytes" : "flops", r.error,
              !r.correct()                 ? "WRONG"
              : r.what == operation::apply ? "1'M1 = volume"
                                           : "M v = evaluation");
  std::fflush(stdout);
}

bool print_summary(const std::vector<outcome>& results) {
  std::printf("\n");
  for (const space_kind space : {space_kind::cpu, space_kind::gpu})
    for (const operation what : {operation::apply, operation::assemble}) {
      double log_sum = 0, least = 0, most = 0;
      int count = 0;
      for (const outcome& r : results) {
        if (r.space != space || r.what != what) continue;
        log_sum += std::log(r.fraction());
        least = count++ == 0 ? r.fraction() : std::min(least, r.fraction());
        most = std::max(most, r.fraction());
      }
      if (count > 0)
        std::printf("%s %s: %.1f%% of the bound in geometric mean, %.1f%% at worst\n", name_of(space), name_of(what),
                    100 * std::exp(log_sum / count), 100 * least);
      // Data that stays in a cache explains some per cent above the bound, not more.
      if (most > 1.15)
        std::printf("  Up to %.0f%% of the bound: other work disturbed the limits; run again on a quiet machine.\n",
                    100 * most);
    }
  return std::all_of(results.begin(), results.end(), [](const outcome& r) { return r.correct(); });
}

void print_kernels(const std::vector<outcome>& results) {
  std::printf("\nKernel rows, and how many steps of the chain each ran:\n");
  for (const outcome& r : results) {
    std::string text;
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
      if (std::find(r.rows.begin(), r.rows.begin() + static_cast<std::ptrdiff_t>(i), r.rows[i]) !=
          r.rows.begin() + static_cast<std::ptrdiff_t>(i))
        continue;
      text += (text.empty() ? "" : ", ") + r.rows[i] + " x" +
              std::to_string(std::count(r.rows.begin(), r.rows.end(), r.rows[i]));
    }
    std::printf("  %s %-8s p = %d: %s\n", name_of(r.space), name_of(r.what), r.p, text.c_str());
  }
}

void write_json(const std::string& file, const facts& about, const std::vector<outcome>& results) {
  nlohmann::json all;
  all["schema"] = 1;
  all["cpu"] = about.cpu;
  all["target"] = about.target;
  all["gpu"] = about.gpu;
  all["threads"] = about.threads;
  all["limits"] = {{"cpu_fma", about.measured.cpu_flops}, {"gpu_fma", about.measured.gpu_flops}};
  for (const outcome& r : results)
    all["results"].push_back(
        {{"case", {{"what", name_of(r.what)}, {"space", name_of(r.space)}, {"p", r.p}, {"elements", r.elements}}},
         {"seconds", {{"median", r.seconds}, {"mad", r.mad}}},
         {"flops", r.flops},
         {"bytes", r.bytes},
         {"bandwidth_used", r.bandwidth},
         {"bound", {{"seconds", r.bound_seconds}, {"by", r.bound_by_bytes ? "bytes" : "flops"}}},
         {"fraction", r.fraction()},
         {"error", r.error},
         {"error_bound", r.tolerance},
         {"rows", r.rows}});
  std::ofstream out(file);
  out << all.dump(1) << '\n';
  if (!out) throw std::runtime_error("cannot write " + file);
}

}  // namespace tessera::demo
