// SPDX-License-Identifier: BSD-3-Clause
// poisson: an FE code with its own mesh, on which Tessera solves -div grad u = f with a known u, on finer and finer
// meshes, on a CPU or a GPU; it writes the solution for ParaView and for a chart.
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/norms.hpp>
#include <tessera/fem/vtk.hpp>
#include <tessera/memory.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>
#include <tessera/target.hpp>

#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "../command_line.hpp"
#include "box_mesh.hpp"
#include "results.hpp"

namespace {

using namespace tessera;
using namespace tessera::examples;

struct arguments {
  int dim = 3, order = 4, points = 0, cells = 2, levels = 3;
  int threads = omp_get_max_threads();
  double tolerance = 1e-12;
  bool gpu = false;
  std::string vtu, json;
};

// Waves in each direction: u = sin(pi x) sin(2 pi y) sin(pi z), 0 on the boundary.
constexpr int waves[] = {1, 2, 1};
const double pi = std::acos(-1.0);

// At a point, or a node, of coordinates x.
double exact(const double* x, int dim) {
  double u = 1;
  for (int a = 0; a < dim; ++a) u *= std::sin(waves[a] * pi * x[a]);
  return u;
}

double factor_of_f(int dim) {
  double sum = 0;
  for (int a = 0; a < dim; ++a) sum += waves[a] * waves[a] * pi * pi;
  return sum;
}

void show_progress(int iteration, double residual) {
  static const bool on_terminal = isatty(STDOUT_FILENO) == 1;
  if (!on_terminal) return;
  std::printf("\r  iteration %d, residual %.1e ", iteration, residual);
  std::fflush(stdout);
}

// The solution, and u - exact, at the nodes of the elements.
void write_solution(const std::string& file, const fem::element_nodes<double>& nodes, const restriction& G,
                    const std::vector<double>& u, const std::vector<std::vector<double>>& x) {
  std::vector<double> difference(u), u_elements(std::size_t(G.entries() * G.elements())), error(u_elements);
  for (std::size_t i = 0; i < u.size(); ++i) {
    double at[3] = {};
    for (std::size_t a = 0; a < x.size(); ++a) at[a] = x[a][i];
    difference[i] -= exact(at, nodes.dim);
  }
  G.to_elements(u.data(), u_elements.data());
  G.to_elements(difference.data(), error.data());
  fem::write_vtu(file, nodes,
                 {{.name = "u", .order = nodes.order, .values = u_elements.data()},
                  {.name = "error", .order = nodes.order, .values = error.data()}});
}

level solve(const arguments& given, int cells, bool keep) {
  const box_mesh mesh(given.dim, given.order, cells);
  const fem::element_nodes<double> nodes{
      .dim = mesh.dim, .order = mesh.order, .elements = mesh.elements, .coordinates = mesh.coordinates.data()};
  const restriction G({.elements = mesh.elements,
                       .entries = mesh.element_nodes,
                       .size = mesh.nodes,
                       .offsets64 = mesh.number.data(),
                       .constrained = mesh.boundary});
  fem::element_operator_options diffusion{
      .kind = operator_kind::diffusion, .trial = {.order = given.order}, .points = given.points};

  // The load of f, and the known values 0 on the boundary.
  std::vector<double> b(std::size_t(mesh.nodes)), u(b);
  const fem::element_points<double> points(nodes, diffusion);
  const std::vector<double> f =
      points.evaluate(1, [&](const auto& p, double* to) { *to = factor_of_f(mesh.dim) * exact(p.x, mesh.dim); });
  points.load(f.data(), {b.data(), G});
  for (const index_t node : mesh.boundary) b[std::size_t(node)] = 0;

  // snippet gpu
  if (given.gpu) diffusion.on = target::cuda;
  const fem::global_operator<double> A(nodes, G, diffusion);
  // b and u where A is: in a GPU's memory, or in the host's.
  const std::size_t bytes = b.size() * sizeof(double);
  const buffer b_of_A(A.space(), bytes), u_of_A(A.space(), bytes);
  copy_memory(b_of_A.data(), b.data(), bytes);
  // end snippet

  const double first = std::sqrt(std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
  conjugate_gradient<double> solver(
      A, jacobi(A), {.relative = given.tolerance, .max_iterations = 20000, .progress = [=](int k, double r) {
                       show_progress(k, r / first);
                     }});
  const auto start = std::chrono::steady_clock::now();
  const solve_result found =
      solver.solve_from_zero(static_cast<const double*>(b_of_A.data()), static_cast<double*>(u_of_A.data()));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  copy_memory(u.data(), u_of_A.data(), bytes);

  // By a rule that is more than exact for the squares of functions of the order.
  const fem::element_points<double> more(nodes, {.trial = {.order = given.order}, .points = given.order + 3});
  const double error =
      fem::l2_error(more, {u.data(), G}, [&](const auto& p, double* to) { *to = exact(p.x, mesh.dim); });
  level made{.cells = cells,
             .elements = mesh.elements,
             .unknowns = mesh.nodes,
             .error = error,
             .seconds = seconds,
             .residuals = found.residuals,
             .outcome = found.solved() ? "" : found.describe(),
             .kernel = A.describe(detail_level::brief)};
  for (double& residual : made.residuals) residual /= first;
  if (!keep) return made;
  std::vector<std::vector<double>> x;
  for (int c = 0; c < mesh.dim; ++c) x.push_back(mesh.coordinate(c));
  made.drawn = slice_of(mesh, x, u);
  if (!given.vtu.empty()) write_solution(given.vtu, nodes, G, u, x);
  return made;
}

int run(const arguments& given) {
  if (given.gpu && !is_available(target::cuda)) throw error("--gpu: there is none that can be used: " + why_no_gpu());
  check_writable(given.vtu);
  check_writable(given.json);
  omp_set_num_threads(given.threads);
  const std::string where =
      given.gpu ? "a GPU" : std::to_string(given.threads) + " thread" + (given.threads > 1 ? "s" : "");
  std::printf("-div grad u = f on a bent %s, order %d, %d Gauss points a direction, on %s\n",
              given.dim == 3 ? "cube" : "square", given.order, given.points, where.c_str());
  print_head();
  std::vector<level> levels;
  for (int l = 0, cells = given.cells; l < given.levels; ++l, cells *= 2) {
    levels.push_back(solve(given, cells, l + 1 == given.levels));
    print_row(levels, given.dim);
  }
  std::printf("[%s]\n", levels.back().kernel.c_str());
  if (!given.vtu.empty()) std::printf("Solution: %s\n", given.vtu.c_str());
  if (!given.json.empty()) write_json(given.json, given.dim, given.order, where, levels);
  const std::string& unsolved = levels.back().outcome;
  if (!unsolved.empty()) std::printf("NOT SOLVED: %s\n", unsolved.c_str());
  // order + 1, on meshes that are fine enough and unless rounding is all that is left.
  const bool converges = levels.size() < 3 || rate(levels) > given.order + 0.5 || levels.back().error < 1e-11;
  if (!converges) std::printf("THE ERROR FALLS TOO SLOWLY\n");
  return unsolved.empty() && converges ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app("Solves a Poisson problem with a known solution on a bent square or cube, on finer and finer meshes.");
  app.add_option("--dim", given.dim, "2 or 3 (default: 3)")->check(CLI::Range(2, 3));
  app.add_option("--order", given.order, "Of the elements (default: 4)")->check(CLI::Range(1, fem::max_order));
  app.add_option("--points", given.points, "Gauss points a direction (default: order + 2)")
      ->check(CLI::Range(1, fem::max_quadrature_points));
  app.add_option("--cells", given.cells, "Elements a direction of the coarsest mesh (default: 2)")
      ->check(CLI::Range(2, 1000));
  app.add_option("--levels", given.levels, "Meshes, each twice as fine (default: 3)")->check(CLI::Range(1, 10));
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::Range(1, 4096));
  app.add_option("--tolerance", given.tolerance, "Fall of the residual (default: 1e-12)")
      ->check(CLI::Range(1e-15, 1.0));
  app.add_flag("--gpu", given.gpu, "Solve on a GPU");
  app.add_option("--vtu", given.vtu, "File for ParaView: the solution on the finest mesh, with high-order cells");
  app.add_option("--json", given.json, "File for examples/plot_poisson.py");
  if (const auto status = parse(app, argc, argv)) return *status;
  if (given.points == 0) given.points = given.order + 2;
  try {
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "poisson: %s\n", e.what());
    return 2;
  }
}
