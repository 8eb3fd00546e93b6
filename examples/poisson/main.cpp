// SPDX-License-Identifier: BSD-3-Clause
// poisson: an FE code with its own mesh and solver, where Tessera applies the operator to its vectors. It solves
// -div grad u = f with a known u on finer and finer meshes, and writes the solution for ParaView and for a chart.
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/vtk.hpp>

#include <omp.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include "box_mesh.hpp"
#include "results.hpp"
#include "solve/at_points.hpp"
#include "solve/conjugate_gradients.hpp"

namespace {

using namespace tessera;
using namespace tessera::examples;

struct arguments {
  int dim = 3, order = 4, points = 0, cells = 2, levels = 3;
  int threads = omp_get_max_threads();
  double tolerance = 1e-12;
  std::string vtu, json;
};

// Waves in each direction: u = sin(pi x) sin(2 pi y) sin(pi z), 0 on the boundary.
constexpr int waves[] = {1, 2, 1};
const double pi = std::acos(-1.0);

// u at points of which x[a][i] are the coordinates.
std::vector<double> exact(const std::vector<std::vector<double>>& x) {
  std::vector<double> u(x.front().size(), 1);
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t i = 0; i < u.size(); ++i) u[i] *= std::sin(waves[a] * pi * x[a][i]);
  return u;
}

// Component c of the nodes' coordinates as an E-vector.
std::vector<double> component(const box_mesh& mesh, int c) {
  std::vector<double> E;
  for (index_t e = 0; e < mesh.elements; ++e) {
    const double* const own = mesh.coordinates.data() + mesh.element_nodes * (c + mesh.dim * e);
    E.insert(E.end(), own, own + mesh.element_nodes);
  }
  return E;
}

// The L2 norm of u - exact, by a rule that is more than exact for the squares of functions of the order.
double l2_error(const box_mesh& mesh, const std::vector<double>& u_elements) {
  const at_points points(mesh.geometry(), mesh.order, mesh.order + 3);
  std::vector<std::vector<double>> x;
  for (int c = 0; c < mesh.dim; ++c) x.push_back(points.values(component(mesh, c)));
  const std::vector<double> u = points.values(u_elements), wanted = exact(x), weights = points.weights();
  double sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += weights[k] * (u[k] - wanted[k]) * (u[k] - wanted[k]);
  return std::sqrt(sum);
}

void show_progress(int iteration, double residual) {
  static const bool on_terminal = isatty(STDOUT_FILENO) == 1;
  if (!on_terminal) return;
  std::printf("\r  iteration %d, residual %.1e ", iteration, residual);
  std::fflush(stdout);
}

level solve(const arguments& given, int cells, bool keep) {
  const box_mesh mesh(given.dim, given.order, cells);
  const int order = given.order;

  // snippet operators
  namespace fem = tessera::fem;
  const fem::element_nodes<double> nodes{
      .dim = mesh.dim, .order = order, .elements = mesh.elements, .coordinates = mesh.coordinates.data()};
  const tessera::restriction_spec numbers{.elements = mesh.elements,
                                          .entries = mesh.element_nodes,
                                          .size = mesh.nodes,
                                          .offsets64 = mesh.number.data(),
                                          .constrained = mesh.boundary};
  const tessera::restriction G(numbers);
  const fem::global_operator<double> A(
      nodes, G, {.kind = tessera::operator_kind::diffusion, .trial = {.order = order}, .points = given.points});
  // end snippet
  const fem::global_operator<double> M(nodes, G, {.trial = {.order = order}, .points = given.points});

  // f at the nodes, then its integrals with all functions. M is the identity on the boundary, where f is 0.
  std::vector<std::vector<double>> x(std::size_t(mesh.dim), std::vector<double>(std::size_t(mesh.nodes)));
  for (int c = 0; c < mesh.dim; ++c) {
    const std::vector<double> E = component(mesh, c);
    for (std::size_t i = 0; i < E.size(); ++i) x[std::size_t(c)][std::size_t(mesh.number[i])] = E[i];
  }
  const std::vector<double> wanted = exact(x);
  std::vector<double> f(wanted), b(f.size());
  double factor = 0;
  for (int a = 0; a < mesh.dim; ++a) factor += waves[a] * waves[a] * pi * pi;
  for (double& value : f) value *= factor;
  for (const index_t node : mesh.boundary) f[std::size_t(node)] = 0;
  M.apply(f.data(), b.data());

  const auto start = std::chrono::steady_clock::now();
  const solution found = conjugate_gradients(A, b, given.tolerance, 20000, show_progress);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::vector<double> u(mesh.number.size()), error(u.size()), difference(found.u);
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= wanted[i];
  G.to_elements(found.u.data(), u.data());
  G.to_elements(difference.data(), error.data());
  level made{.cells = cells,
             .elements = mesh.elements,
             .unknowns = mesh.nodes,
             .error = l2_error(mesh, u),
             .seconds = seconds,
             .residuals = found.residuals,
             .kernel = A.describe(detail_level::brief)};
  if (keep) made.drawn = slice_of(mesh, x, found.u);
  if (keep && !given.vtu.empty())
    fem::write_vtu(
        given.vtu, nodes,
        {{.name = "u", .order = order, .values = u.data()}, {.name = "error", .order = order, .values = error.data()}});
  return made;
}

int run(const arguments& given) {
  omp_set_num_threads(given.threads);
  std::printf("-div grad u = f on a bent %s, order %d, %d Gauss points a direction, %d thread%s\n",
              given.dim == 3 ? "cube" : "square", given.order, given.points, given.threads,
              given.threads > 1 ? "s" : "");
  print_head();
  std::vector<level> levels;
  for (int l = 0, cells = given.cells; l < given.levels; ++l, cells *= 2) {
    levels.push_back(solve(given, cells, l + 1 == given.levels));
    print_row(levels, given.dim);
  }
  std::printf("[%s]\n", levels.back().kernel.c_str());
  if (!given.vtu.empty()) std::printf("Solution: %s\n", given.vtu.c_str());
  if (!given.json.empty()) write_json(given.json, given.dim, given.order, given.threads, levels);
  const bool solved = levels.back().residuals.back() <= given.tolerance;
  if (!solved) std::printf("NOT SOLVED: the residual is still %.1e\n", levels.back().residuals.back());
  // order + 1, on meshes that are fine enough and unless rounding is all that is left.
  const bool converges = levels.size() < 3 || rate(levels) > given.order + 0.5 || levels.back().error < 1e-11;
  if (!converges) std::printf("THE ERROR FALLS TOO SLOWLY\n");
  return solved && converges ? 0 : 1;
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
  app.add_option("--vtu", given.vtu, "File for ParaView: the solution on the finest mesh, with high-order cells");
  app.add_option("--json", given.json, "File for examples/plot_poisson.py");
  CLI11_PARSE(app, argc, argv);
  if (given.points == 0) given.points = given.order + 2;
  try {
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "poisson: %s\n", e.what());
    return 2;
  }
}
