// SPDX-License-Identifier: BSD-3-Clause
// ceed_bake_off: CEED's bake-off problems BP1 to BP6 through libCEED's interface, millions of unknowns a second of
// y = A x, on several of its resources in turn.
#include <tessera/ceed/tessera_ceed.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "problem.hpp"

namespace {

struct arguments {
  std::vector<int> problems{1, 2, 3, 4, 5, 6}, orders{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> unknowns{1e5};
  std::vector<std::string> resources{"/cpu/self/tessera", "/cpu/self/avx/blocked", "/cpu/self/opt/blocked"};
  int repetitions = 7;
  double seconds = 0.02;
  bool own_functions = false, describe = false;
  double tolerance = 0;
};

double time_of(bake_off::problem& p, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) p.apply();
  p.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

// Relative to the largest entry.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most / largest;
}

// The resources take turns, so that a machine that is slower for a while is so for all of them.
std::vector<double> times_of(const arguments& a, std::vector<std::unique_ptr<bake_off::problem>>& problems) {
  std::vector<std::vector<double>> times(problems.size());
  std::vector<int> calls;
  for (auto& p : problems) {
    p->apply();  // decides and sets up
    p->wait();
    calls.push_back(std::max(1, int(a.seconds / time_of(*p, 1))));
  }
  for (int r = 0; r < a.repetitions; ++r)
    for (std::size_t i = 0; i < problems.size(); ++i) times[i].push_back(time_of(*problems[i], calls[i]));
  std::vector<double> medians;
  for (const auto& t : times) medians.push_back(median(t));
  return medians;
}

struct ratios {
  double least = 1e300, log_sum = 0;
  int count = 0;
};

void run(const arguments& a, bake_off::settings s, ratios& all) {
  s.own_function = a.own_functions;
  std::vector<std::unique_ptr<bake_off::problem>> problems;
  for (const std::string& r : a.resources) problems.push_back(std::make_unique<bake_off::problem>(r, s));
  const std::vector<double> seconds = times_of(a, problems);
  const double unknowns = double(problems[0]->unknowns());
  std::printf("BP%d  %d  %8.0f ", s.problem, s.order, unknowns);
  for (const double t : seconds) std::printf(" %10.2f", unknowns / t / 1e6);
  if (seconds.size() > 1) {
    const double ratio = *std::min_element(seconds.begin() + 1, seconds.end()) / seconds[0];
    all.least = std::min(all.least, ratio);
    all.log_sum += std::log(ratio);
    ++all.count;
    std::printf("  %6.2f", ratio);
  }
  std::printf("\n");
  for (const auto& p : problems)
    if (const char* text = a.describe ? tessera_ceed_describe(p->handle()) : nullptr) std::printf("     %s\n", text);
  for (std::size_t i = 1; a.tolerance > 0 && i < problems.size(); ++i) {
    const double d = difference(problems[0]->y(), problems[i]->y());
    if (!(d <= a.tolerance))
      throw std::runtime_error("the results of " + a.resources[0] + " and " + a.resources[i] + " differ by " +
                               std::to_string(d) + " of the largest entry");
  }
  std::fflush(stdout);
}

int run_all(const arguments& a) {
  std::printf(
      "millions of unknowns a second of y = A x, medians of %d; the last column is the first resource's speed "
      "over the best of the others\n          unknowns ",
      a.repetitions);
  for (const std::string& r : a.resources) std::printf(" %s", r.c_str());
  std::printf("\n");
  ratios all;
  for (const int number : a.problems)
    for (const int order : a.orders)
      for (const double unknowns : a.unknowns) run(a, bake_off::sized(number, order, unknowns), all);
  if (all.count > 0)
    std::printf("geometric mean of the last column %.2f, least %.2f, of %d\n", std::exp(all.log_sum / all.count),
                all.least, all.count);
  return 0;
}

}  // namespace

int main(int count, char** texts) {
  arguments a;
  CLI::App app("CEED's bake-off problems through libCEED's interface");
  app.add_option("--resource", a.resources, "libCEED's resources; the first is compared with the others");
  app.add_option("--problems", a.problems, "of 1 to 6")->check(CLI::Range(1, 6));
  app.add_option("--orders", a.orders, "of 1 to 16")->check(CLI::Range(1, 16));
  app.add_option("--unknowns", a.unknowns, "about so many")->check(CLI::Range(8.0, 1e9));
  app.add_option("--repetitions", a.repetitions, "of which the median counts")->check(CLI::Range(1, 1000));
  app.add_option("--seconds", a.seconds, "that a repetition takes at least")->check(CLI::Range(0.0, 60.0));
  app.add_flag("--own-functions", a.own_functions, "QFunctions of this program, which no backend knows");
  app.add_flag("--describe", a.describe, "what runs on Tessera's resources");
  app.add_option("--tolerance", a.tolerance, "fail where results differ by more, of the largest entry");
  CLI11_PARSE(app, count, texts);
  try {
    return run_all(a);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ceed_bake_off: %s\n", e.what());
    return 1;
  }
}
