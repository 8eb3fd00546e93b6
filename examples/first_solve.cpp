// SPDX-License-Identifier: BSD-3-Clause
// An FE code with its own mesh, where Tessera applies the operator to its vectors and solves: first_solve [ORDER
// [CELLS]].
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/norms.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using tessera::index_t;

// The data of the code: cells x cells squares of side h, node numbers of each element, boundary marks.
struct own_mesh {
  int order, cells;
  index_t side = index_t(order) * cells + 1;  // nodes in a direction
  index_t element_nodes = index_t(order + 1) * (order + 1);
  std::vector<double> corners;       // coordinate c of corner i of element e: [i + 4 (c + 2 e)]
  std::vector<std::int64_t> number;  // of node i of element e: [i + element_nodes e]
  std::vector<index_t> boundary;     // nodes on it

  own_mesh(int p, int n) : order(p), cells(n) {
    for (int e2 = 0; e2 < n; ++e2)
      for (int e1 = 0; e1 < n; ++e1) {
        for (int c = 0; c < 2; ++c)
          for (int i = 0; i < 4; ++i) corners.push_back((c == 0 ? e1 + i % 2 : e2 + i / 2) / double(n));
        for (int i2 = 0; i2 <= p; ++i2)
          for (int i1 = 0; i1 <= p; ++i1) number.push_back(e1 * p + i1 + side * (e2 * p + i2));
      }
    for (index_t node = 0; node < unknowns(); ++node)
      if (!inside(node)) boundary.push_back(node);
  }
  index_t elements() const { return index_t(cells) * cells; }
  index_t unknowns() const { return side * side; }
  bool inside(index_t node) const {
    const index_t i = node % side, j = node / side;
    return i > 0 && i + 1 < side && j > 0 && j + 1 < side;
  }
};

// The L2 norm of the error of the solution of -div grad u = f, u = sin(pi x) sin(pi y).
double solve(int order, int cells) {
  const double pi = std::acos(-1.0);
  const own_mesh mesh(order, cells);

  // snippet operators
  namespace fem = tessera::fem;
  const fem::element_nodes<double> nodes{
      .dim = 2, .order = 1, .elements = mesh.elements(), .coordinates = mesh.corners.data()};
  const tessera::restriction numbers({.elements = mesh.elements(),
                                      .entries = mesh.element_nodes,
                                      .size = mesh.unknowns(),
                                      .offsets64 = mesh.number.data(),
                                      .constrained = mesh.boundary});
  const fem::element_operator_options diffusion{.kind = tessera::operator_kind::diffusion, .trial = {.order = order}};
  const fem::global_operator<double> A(nodes, numbers, diffusion);
  // end snippet
  std::vector<double> b(std::size_t(mesh.unknowns())), u(b);
  // snippet points
  const fem::element_points<double> points(nodes, diffusion);
  const auto exact = [&](const auto& p, double* to) { *to = std::sin(pi * p.x[0]) * std::sin(pi * p.x[1]); };
  const std::vector<double> f = points.evaluate(1, [&](const auto& p, double* to) {
    exact(p, to);
    *to *= 2 * pi * pi;
  });
  points.load(f.data(), {b.data(), numbers});
  // end snippet
  for (const index_t node : mesh.boundary) b[std::size_t(node)] = 0;
  // snippet solve
  tessera::conjugate_gradient<double> solver(A, tessera::jacobi(A), {.relative = 1e-12, .max_iterations = 5000});
  const tessera::solve_result result = solver.solve_from_zero(b.data(), u.data());
  if (!result.solved()) std::puts(result.describe().c_str());
  // end snippet

  // snippet error
  const double error = fem::l2_error(points, {u.data(), numbers}, exact);
  // end snippet
  std::printf("order %d, %2d x %2d elements: %4d iterations, error in L2 %.2e   [%s]\n", order, cells, cells,
              result.iterations, error, A.describe(tessera::detail_level::brief).c_str());
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  const int order = argc > 1 ? std::atoi(argv[1]) : 4, cells = argc > 2 ? std::atoi(argv[2]) : 4;
  if (order < 1 || order > 16 || cells < 2) {
    std::fprintf(stderr, "usage: first_solve [ORDER [CELLS]], ORDER in 1..16, CELLS from 2\n");
    return 2;
  }
  const double coarse = solve(order, cells), fine = solve(order, 2 * cells);
  const double rate = std::log2(coarse / fine);
  std::printf("the error falls with the %.1f-th power of the elements' size\n", rate);
  // At least order + 1, unless rounding is all that is left.
  return rate > order + 0.5 || fine < 1e-12 ? 0 : 1;
}
