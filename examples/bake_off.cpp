// SPDX-License-Identifier: BSD-3-Clause
// bake_off: CEED's bake-off problems BP1 to BP6, unknowns times iterations a second of conjugate gradients by order and
// number of unknowns, on a CPU or a GPU.
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/mesh.hpp>
#include <tessera/fem/norms.hpp>
#include <tessera/memory.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>
#include <tessera/target.hpp>

#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace {

using namespace tessera;

struct arguments {
  std::vector<std::string> problems{"1-6"}, orders{"1-8"};
  std::vector<double> unknowns{1e4, 2e4, 4e4, 8e4, 1.6e5, 3.2e5, 6.4e5, 1.28e6};
  int iterations = 20, repetitions = 3;
  int threads = omp_get_max_threads();
  bool gpu = false;
  std::string json;
};

// Odd problems have one component, even ones three. Mass and diffusion at p + 2 Gauss points a direction, then
// diffusion at the p + 1 nodes.
fem::element_operator_options options_of(int problem, int p) {
  return {.kind = problem <= 2 ? operator_kind::mass : operator_kind::diffusion,
          .trial = {.order = p},
          .components = problem % 2 == 0 ? 3 : 1,
          .points = problem <= 4 ? p + 2 : p + 1,
          .rule = problem <= 4 ? fem::points_kind::gauss : fem::points_kind::gauss_lobatto};
}

index_t unknowns_of(const box_spec& box) {
  index_t nodes = 1;
  for (const index_t n : box.cells) nodes *= n * box.order + 1;
  return nodes * box.components;
}

// From 2 x 2 x 2 elements, doubled in one direction after the other while that comes closer to the number of unknowns.
box_spec box_for(double unknowns, int p, int components) {
  box_spec box{.dim = 3, .cells = {2, 2, 2}, .order = p, .components = components, .constrained = {}};
  for (int a = 0;; a = (a + 1) % 3) {
    box_spec larger = box;
    larger.cells[a] *= 2;
    if (double(unknowns_of(box)) * double(unknowns_of(larger)) > unknowns * unknowns) return box;
    box = larger;
  }
}

fem::point bent(const fem::point& x) {
  const double pi = std::acos(-1.0);
  const double bump = 0.05 * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
  return {x[0] + bump, x[1] - bump, x[2] + bump};
}

struct outcome {
  int problem, order;
  index_t elements, unknowns;
  int iterations;
  double seconds;
  std::string wrong{};  // why, if it is

  double rate() const { return double(unknowns) * iterations / seconds; }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// A vector where an operator is, and back.
struct vector_of {
  buffer memory;
  vector_of(space_kind space, const std::vector<double>& numbers) : memory(space, numbers.size() * sizeof(double)) {
    copy_memory(memory.data(), numbers.data(), memory.bytes());
  }
  double* data() const { return static_cast<double*>(memory.data()); }
  std::vector<double> numbers() const {
    std::vector<double> all(memory.bytes() / sizeof(double));
    copy_memory(all.data(), memory.data(), memory.bytes());
    return all;
  }
};

// The operator against integrals at points, which other code computes, and the solver against b - A x.
std::string checked(const fem::element_points<double>& points, const restriction& G, bool is_mass,
                    const std::vector<double>& x, const std::vector<double>& b, const std::vector<double>& residual,
                    const solve_result& found) {
  char text[120] = "";
  const fem::fe_vector<const double> function(x.data(), G);
  const double norm = is_mass ? fem::l2_norm(points, function) : fem::h1_seminorm(points, function);
  const double energy = dot(x, b);
  const double off = std::abs(energy / (norm * norm) - 1);
  if (!(off < 1e-11)) std::snprintf(text, sizeof text, "x.Ax is off by %.1e of its value", off);
  const double size = std::sqrt(dot(b, b)), left = std::sqrt(dot(residual, residual));
  if (!(std::abs(left - found.residuals.back()) < 1e-11 * size))
    std::snprintf(text, sizeof text, "|b - A x| is %.3e, the solver has %.3e", left, found.residuals.back());
  const bool as_many = found.outcome == solve_outcome::iteration_limit || found.solved();
  return as_many ? text : found.describe();
}

// A x = b, b being A times random numbers, which are 0 on the boundary where the operator is diffusion.
outcome solve(const arguments& a, int problem, int p, double unknowns) {
  fem::element_operator_options options = options_of(problem, p);
  const bool is_mass = options.kind == operator_kind::mass;
  box_spec box = box_for(unknowns, p, options.components);
  const fem::mesh domain({int(box.cells[0]), int(box.cells[1]), int(box.cells[2])}, 1, bent);
  const fem::element_nodes<double> nodes = fem::nodes_of(domain);
  std::vector<index_t> boundary;
  if (!is_mass) boundary = fem::numbers_on(restriction::box(box), fem::box_faces(box), 3, {.order = p});
  box.constrained = boundary;
  const restriction G = restriction::box(box);
  const fem::element_points<double> points(nodes, options);
  if (a.gpu) options.on = target::cuda;
  const fem::global_operator<double> A(nodes, G, options);

  std::vector<double> x(std::size_t(G.size()));
  std::mt19937 random(1);
  for (double& number : x) number = double(random()) / 4294967296.0;
  for (const index_t number : boundary) x[std::size_t(number)] = 0;
  const vector_of x_of_A(A.space(), x), b_of_A(A.space(), x);
  A.apply(x_of_A.data(), b_of_A.data());
  const std::vector<double> b = b_of_A.numbers();

  // What rounding leaves is no residual to go on with.
  conjugate_gradient<double> solver(A, jacobi(A), {.relative = 1e-15, .max_iterations = a.iterations});
  const vector_of y(A.space(), x), product(A.space(), x);
  solve_result found;
  double seconds = 0;
  for (int k = 0; k <= a.repetitions; ++k) {  // the first one warms up
    const auto start = std::chrono::steady_clock::now();
    found = solver.solve_from_zero(b_of_A.data(), y.data());
    const double own = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (k > 0) seconds = k == 1 ? own : std::min(seconds, own);
  }
  A.apply(y.data(), product.data());
  std::vector<double> residual = product.numbers();
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = b[i] - residual[i];
  return {.problem = problem,
          .order = p,
          .elements = G.elements(),
          .unknowns = G.size(),
          .iterations = found.iterations,
          .seconds = seconds,
          .wrong = checked(points, G, is_mass, x, b, residual, found)};
}

// "1-3", "5"
std::vector<int> numbers_of(const std::string& option, const std::vector<std::string>& parts, int most) {
  std::vector<int> numbers;
  for (const std::string& part : parts) {
    int first = 0, last = 0;
    char more = 0;
    const int read = std::sscanf(part.c_str(), "%d-%d%c", &first, &last, &more);
    if (read == 1) last = first;
    const bool whole = read == 2 || (read == 1 && part == std::to_string(first));
    if (!whole || first < 1 || last < first || last > most)
      throw error(option + ": '" + part + "' is no number and no range in 1-" + std::to_string(most));
    for (int k = first; k <= last; ++k) numbers.push_back(k);
  }
  return numbers;
}

void write_json(const std::string& file, const std::string& where, const std::vector<outcome>& results) {
  nlohmann::json all{{"schema", 1}, {"where", where}, {"results", nlohmann::json::array()}};
  for (const outcome& r : results)
    all["results"].push_back({{"problem", r.problem},
                              {"order", r.order},
                              {"elements", r.elements},
                              {"unknowns", r.unknowns},
                              {"iterations", r.iterations},
                              {"seconds", r.seconds},
                              {"unknowns_times_iterations_per_second", r.rate()}});
  std::ofstream out(file);
  out << all << '\n';
  if (!out.flush()) throw error("cannot write '" + file + "'");
}

int run(const arguments& a) {
  if (a.gpu && !is_available(target::cuda)) throw error("--gpu: there is none that can be used: " + why_no_gpu());
  const std::vector<int> problems = numbers_of("--problem", a.problems, 6);
  const std::vector<int> orders = numbers_of("--orders", a.orders, fem::max_order);
  examples::check_writable(a.json);
  omp_set_num_threads(a.threads);
  const std::string where = a.gpu ? "a GPU" : std::to_string(a.threads) + " thread" + (a.threads > 1 ? "s" : "");
  std::printf("CEED's bake-off problems, conjugate gradients with Jacobi, double, on %s\n", where.c_str());
  std::printf("%7s %5s %9s %10s %10s %10s %30s\n", "problem", "order", "elements", "unknowns", "iterations", "seconds",
              "10^6 unknowns x iterations/s");
  std::vector<outcome> results;
  bool right = true;
  for (const int problem : problems)
    for (const int p : orders) {
      std::vector<index_t> sizes;  // several numbers of unknowns may be closest to one box
      for (const double unknowns : a.unknowns) {
        const index_t size = unknowns_of(box_for(unknowns, p, options_of(problem, p).components));
        if (std::find(sizes.begin(), sizes.end(), size) != sizes.end()) continue;
        sizes.push_back(size);
        const outcome r = solve(a, problem, p, unknowns);
        std::printf("    BP%d %5d %9lld %10lld %10d %10.2e %30.2f\n", problem, p, static_cast<long long>(r.elements),
                    static_cast<long long>(r.unknowns), r.iterations, r.seconds, r.rate() * 1e-6);
        if (!r.wrong.empty()) std::printf("WRONG: %s\n", r.wrong.c_str());
        std::fflush(stdout);
        right = right && r.wrong.empty();
        results.push_back(r);
      }
    }
  if (!a.json.empty()) write_json(a.json, where, results);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app(
      "CEED's bake-off problems: BP1 mass, BP2 mass with 3 components, BP3 and BP4 diffusion, at order + 2 Gauss "
      "points; BP5 and BP6 diffusion at the nodes.");
  app.add_option("--problem", given.problems, "Of 1 to 6, for example 1,3-5 (default: 1-6)")->delimiter(',');
  app.add_option("--orders", given.orders, "Of 1 to 16, for example 2,4 (default: 1-8)")->delimiter(',');
  app.add_option("--unknowns", given.unknowns, "Approximately (default: 1e4, doubled up to 1.28e6)")
      ->delimiter(',')
      ->check(CLI::Range(1.0, 1e10));
  app.add_option("--iterations", given.iterations, "Of each solve (default: 20)")->check(CLI::Range(1, 100000));
  app.add_option("--repetitions", given.repetitions, "Solves, of which the fastest counts (default: 3)")
      ->check(CLI::Range(1, 1000));
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::Range(1, 4096));
  app.add_flag("--gpu", given.gpu, "Solve on a GPU");
  app.add_option("--json", given.json, "File for examples/plot_bake_off.py");
  if (const auto status = examples::parse(app, argc, argv)) return *status;
  try {
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bake_off: %s\n", e.what());
    return 2;
  }
}
