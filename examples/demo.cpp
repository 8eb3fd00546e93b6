// SPDX-License-Identifier: BSD-3-Clause
// tessera-demo: applies and assembles the mass operator for p = 1..8 on this machine, checks it, and says how fast it
// was.
#include <tessera/error.hpp>
#include <tessera/target.hpp>

#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "demo_report.hpp"
#include "gpu/device.hpp"
#include "limits/cpu.hpp"
#include "machine.hpp"

namespace {

using namespace tessera;
using namespace tessera::demo;

struct arguments {
  std::string out = ".";
  int highest_order = 8;
  int threads = omp_get_max_threads();
  bool quick = false, no_gpu = false, no_chart = false;
};

facts look_around(const arguments& given) {
  facts about;
  about.cpu = bench::this_machine().cpu;
  about.target = tessera::name_of(default_cpu_target());
  about.threads = given.threads;
  std::printf("Measuring the limits of this machine ...\n");
  std::fflush(stdout);
  about.measured.cpu_flops = bench::fma_peak(scalar_type::f64, given.threads);
  if (given.no_gpu) {
    about.gpu = "not asked for";
  } else if (!is_available(target::cuda)) {
    about.gpu = "none (no device, or built without CUDA): the CPU alone is shown";
  } else {
    about.gpu = bench::device::this_device().name;
    about.measured.gpu_flops = bench::device::fma_peak(scalar_type::f64, false);
  }
  return about;
}

// The chart is drawn by a script beside this file; without Python or matplotlib the data remains.
void draw(const std::string& json, const std::string& png) {
  const std::string command =
      std::string("\"") + TESSERA_DEMO_PYTHON + "\" \"" + TESSERA_DEMO_PLOT + "\" \"" + json + "\" \"" + png + "\"";
  if (std::system(command.c_str()) == 0)
    std::printf("Chart: %s\n", png.c_str());
  else
    std::printf("No chart: that needs Python with matplotlib (python3-matplotlib). Later: %s\n", command.c_str());
}

int demonstrate(const arguments& given) {
  omp_set_num_threads(given.threads);
  const facts about = look_around(given);
  settings how{.threads = given.threads};
  if (given.quick) {
    how.cpu_bytes = how.gpu_bytes = 48e6;
    how.seconds = 0.15;
  }
  print_head(about);
  std::vector<outcome> results;
  for (const space_kind space : {space_kind::cpu, space_kind::gpu}) {
    if (space == space_kind::gpu && about.measured.gpu_flops == 0) continue;
    for (const operation what : {operation::apply, operation::assemble})
      for (int p = 1; p <= given.highest_order; ++p) {
        results.push_back(run(what, space, p, how, about.measured));
        print_row(results.back());
      }
  }
  const bool all_right = print_summary(results);
  print_kernels(results);
  std::filesystem::create_directories(given.out);
  const std::string json = (std::filesystem::path(given.out) / "demo.json").string();
  write_json(json, about, results);
  std::printf("\nData:  %s\n", json.c_str());
  if (!given.no_chart) draw(json, (std::filesystem::path(given.out) / "demo.png").string());
  std::printf("%s\n", all_right ? "All results are right." : "SOME RESULTS ARE WRONG.");
  return all_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app("Applies and assembles the mass operator for p = 1..8 in 3-D on this machine, checks and times it.");
  app.add_option("--out", given.out, "Folder for demo.json and demo.png (default: this one)");
  app.add_option("--orders", given.highest_order, "Highest order (default: 8)")->check(CLI::Range(1, 16));
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::PositiveNumber);
  app.add_flag("--quick", given.quick, "Smaller meshes, fewer repetitions: some seconds; less steady numbers");
  app.add_flag("--no-gpu", given.no_gpu, "Leave a GPU alone");
  app.add_flag("--no-chart", given.no_chart, "Write the data only");
  CLI11_PARSE(app, argc, argv);
  try {
    return demonstrate(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "demo: %s\n", e.what());
    return 2;
  }
}
