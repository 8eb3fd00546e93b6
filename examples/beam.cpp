// SPDX-License-Identifier: BSD-3-Clause
// beam: a cantilever of length L and a square section, clamped at one end and loaded at the other, as an elastic body;
// its deflection beside that of a Timoshenko beam.
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/mesh.hpp>
#include <tessera/fem/points.hpp>
#include <tessera/fem/vtk.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>

#include <omp.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace {

using namespace tessera;

struct arguments {
  std::vector<int> orders{2, 3, 4};
  int cells = 10, section = 1;  // elements along the beam, and across it in each direction
  double length = 10, young = 1000, poisson = 0.3, force = 1;
  int threads = omp_get_max_threads();
  double tolerance = 1e-10;
  std::string vtu;
};

constexpr double side = 1;  // of the section

// Bending and shear; the shear coefficient of a rectangle is Cowper's.
double deflection_of_beam(const arguments& a) {
  const double inertia = side * side * side * side / 12, area = side * side;
  const double shear_modulus = a.young / (2 * (1 + a.poisson)),
               coefficient = 10 * (1 + a.poisson) / (12 + 11 * a.poisson);
  return a.force * a.length * a.length * a.length / (3 * a.young * inertia) +
         a.force * a.length / (coefficient * shear_modulus * area);
}

struct beam_mesh {
  fem::mesh mesh;
  box_spec box;

  beam_mesh(const arguments& a, int p)
      : mesh({a.cells, a.section, a.section}, 1,
             [&](const fem::point& x) {
               return fem::point{a.length * x[0], side * x[1], side * x[2]};
             }),
        box{.dim = 3, .cells = {a.cells, a.section, a.section}, .order = p, .components = 3, .constrained = {}} {}
};

// Returns the mean deflection of the loaded end over that of the beam.
double solve(const arguments& a, int p, bool last) {
  const beam_mesh body(a, p);
  box_spec box = body.box;
  const std::vector<fem::boundary_face> sides = fem::box_faces(box);
  const std::vector<index_t> clamped =
      fem::numbers_on(restriction::box(box), fem::with_tags(sides, {0}), 3, {.order = p});
  box.constrained = clamped;
  const restriction G = restriction::box(box);

  fem::element_nodes<double> nodes = fem::nodes_of(body.mesh);
  const double mu = a.young / (2 * (1 + a.poisson)), lambda = 2 * mu * a.poisson / (1 - 2 * a.poisson);
  nodes.coefficients = {lambda, mu};
  const fem::element_operator_options elasticity{
      .kind = operator_kind::elasticity, .trial = {.order = p}, .components = 3};
  const fem::global_operator<double> A(nodes, G, elasticity);
  const fem::element_points<double> end(nodes, fem::with_tags(sides, {1}), elasticity);
  const std::vector<double> traction = end.evaluate(3, [&](const auto&, double* t) {
    t[0] = t[1] = 0;
    t[2] = a.force / (side * side);
  });
  std::vector<double> b(std::size_t(G.size())), u(b);
  end.load(traction.data(), {b.data(), G});
  conjugate_gradient<double> solver(A, jacobi(A), {.relative = a.tolerance, .max_iterations = 100000});
  const auto start = std::chrono::steady_clock::now();
  const solve_result found = solver.solve_from_zero(b.data(), u.data());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!found.solved()) throw error(found.describe());

  const double deflection =
      end.integral({u.data(), G}, {.value = true}, [](const auto&, const double* at, const double*) { return at[2]; }) /
      (side * side);
  const double beam = deflection_of_beam(a);
  std::printf("%5d %10lld %11d %12.5f %12.5f %11.2f %% %8.2f\n", p, static_cast<long long>(G.size()), found.iterations,
              deflection, beam, 100 * (deflection / beam - 1), seconds);
  std::fflush(stdout);
  if (last && !a.vtu.empty()) {
    std::vector<double> u_elements(std::size_t(G.entries() * 3 * G.elements()));
    G.to_elements(u.data(), u_elements.data());
    fem::write_vtu(a.vtu, nodes, {{.name = "displacement", .order = p, .components = 3, .values = u_elements.data()}});
    std::printf("Displacement: %s\n", a.vtu.c_str());
  }
  return deflection / beam;
}

int run(const arguments& a) {
  examples::check_writable(a.vtu);
  omp_set_num_threads(a.threads);
  std::printf("Cantilever %g x %g x %g, %d x %d x %d elements, Young's modulus %g, Poisson's ratio %g, end load %g\n",
              a.length, side, side, a.cells, a.section, a.section, a.young, a.poisson, a.force);
  std::printf("%5s %10s %11s %12s %12s %13s %8s\n", "order", "unknowns", "iterations", "deflection", "beam theory",
              "difference", "seconds");
  double ratio = 0;
  for (const int p : a.orders) ratio = solve(a, p, p == a.orders.back());
  // The theory has no warping of the clamped section.
  return std::abs(ratio - 1) < 0.02 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  arguments given;
  CLI::App app("Bends a cantilever of length L and section 1 x 1 by a load on its end, as an elastic body.");
  app.add_option("--orders", given.orders, "Of the elements (default: 2 3 4)")->check(CLI::Range(1, fem::max_order));
  app.add_option("--cells", given.cells, "Elements along the beam (default: 10)")->check(CLI::Range(1, 10000));
  app.add_option("--section", given.section, "Elements across it, each direction (default: 1)")
      ->check(CLI::Range(1, 100));
  app.add_option("--length", given.length, "L (default: 10)")->check(CLI::Range(1.0, 1000.0));
  app.add_option("--poisson", given.poisson, "Poisson's ratio (default: 0.3)")->check(CLI::Range(0.0, 0.45));
  app.add_option("--threads", given.threads, "OpenMP threads (default: all)")->check(CLI::Range(1, 4096));
  app.add_option("--tolerance", given.tolerance, "Fall of the residual (default: 1e-10)")
      ->check(CLI::Range(1e-15, 1.0));
  app.add_option("--vtu", given.vtu, "File for ParaView: the displacement at the highest order");
  if (const auto status = examples::parse(app, argc, argv)) return *status;
  try {
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "beam: %s\n", e.what());
    return 2;
  }
}
