// SPDX-License-Identifier: BSD-3-Clause
// tessera-demo: mass and diffusion for p = 1..8 on this machine, checked, and compared with a plain loop and a CSR
// matrix.
#include <tessera/device_facts.hpp>
#include <tessera/target.hpp>

#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "../command_line.hpp"
#include "cases.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "table.hpp"

namespace {

using namespace tessera;
using namespace tessera::demo;

constexpr double late_bytes = 32e6;

struct arguments {
  std::string out = ".";
  int orders = highest_order;
  int threads = omp_get_max_threads();
  bool quick = false, no_gpu = false, no_chart = false;
};

facts look_around(const arguments& given) {
  facts about{.cpu = bench::this_machine().cpu, .target = name_of(default_cpu_target()), .threads = given.threads};
  about.has_gpu = !given.no_gpu && is_available(target::cuda);
  about.gpu = about.has_gpu  ? bench::device::this_device().name
              : given.no_gpu ? "not asked for"
                             : "none: " + why_no_gpu();
  return about;
}

// The chart is drawn by a script; without Python or matplotlib the data remains.
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
  settings how{.threads = given.threads};
  if (given.quick) {
    how.cpu_bytes = how.gpu_bytes = 24e6;
    how.seconds = 0.04;
    how.most_seconds = 10;
  }
  std::filesystem::create_directories(given.out);  // before minutes of measuring
  facts about = look_around(given);
  std::printf("Measuring the limits of this machine ...\n");
  std::fflush(stdout);
  limits machine(how, about.has_gpu);
  about.cpu_flops = machine.peak(space_kind::cpu);
  about.gpu_flops = machine.peak(space_kind::gpu);
  print_machine(about);

  std::vector<outcome> results;
  for (const space_kind space : {space_kind::cpu, space_kind::gpu})
    for (const operation what : {operation::apply, operation::matrices}) {
      if (space == space_kind::gpu && !about.has_gpu) continue;
      print_head(what, space);
      for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
        for (int p = 1; p <= given.orders; ++p) {
          if (space == space_kind::cpu && machine.late() && how.cpu_bytes > late_bytes) {
            how.cpu_bytes = late_bytes;
            std::printf("(Time is short on this machine: smaller meshes from here on.)\n");
          }
          const auto run = what == operation::apply ? apply_case : matrices_case;
          results.push_back(run({.kind = kind, .p = p}, space, how, machine));
          print_row(results.back());
        }
    }
  print_summary(results);

  const std::string json = (std::filesystem::path(given.out) / "demo.json").string();
  write_json(json, about, results);
  std::printf("\nData:  %s\n", json.c_str());
  if (!given.no_chart) draw(json, (std::filesystem::path(given.out) / "demo.png").string());
  const bool right = std::all_of(results.begin(), results.end(), correct);
  std::printf("%s\n", right ? "All results are right." : "SOME RESULTS ARE WRONG.");
  const std::string build = std::filesystem::proximate(TESSERA_DEMO_BUILD).string();
  std::printf(
      "\nNext: a solver around such an operator:  cmake --build %s --target tessera_poisson && %s/bin/poisson\n"
      "      the best kernels of this machine:   ./run tune    (within twenty minutes)\n"
      "      an operator in a code of your own:  docs/tutorial/element_operators.md, examples/poisson\n",
      build.c_str(), build.c_str());
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app(
      "Mass and diffusion for p = 1..8 in 3-D on this machine: checked, and timed beside a plain loop and a CSR "
      "matrix.");
  app.add_option("--out", given.out, "Folder for demo.json and demo.png (default: this one)");
  app.add_option("--orders", given.orders, "Highest order (default: 8)")->check(CLI::Range(1, highest_order));
  app.add_option("--threads", given.threads, "OpenMP threads, at most 4096 (default: all)")->check(CLI::Range(1, 4096));
  app.add_flag("--quick", given.quick, "Small meshes and few repetitions: some seconds, rough numbers");
  app.add_flag("--no-gpu", given.no_gpu, "Leave a GPU alone");
  app.add_flag("--no-chart", given.no_chart, "Write the data only");
  if (const auto status = examples::parse(app, argc, argv)) return *status;
  try {
    return demonstrate(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera-demo: %s\n", e.what());
    return 2;
  }
}
