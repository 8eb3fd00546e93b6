// SPDX-License-Identifier: BSD-3-Clause
// -div grad u = f on a disc and a spherical shell by deal.II, with Tessera's operator in its conjugate gradients.
#include <deal.II/base/function_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/diagonal_matrix.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/numerics/matrix_creator.h>
#include <deal.II/numerics/vector_tools_boundary.h>
#include <deal.II/numerics/vector_tools_integrate_difference.h>
#include <deal.II/numerics/vector_tools_rhs.h>

#include "laplace_operator.hpp"

#include <cmath>
#include <cstdio>
#include <exception>

namespace {

using vector = dealii::Vector<double>;

template <int dim>
struct problem {
  int order;
  dealii::Triangulation<dim> mesh{};
  dealii::MappingQ<dim> mapping{unsigned(order)};
  dealii::FE_Q<dim> fe{unsigned(order)};
  dealii::QGauss<dim> points{unsigned(order) + 2};  // as many as Tessera's operators have
  dealii::DoFHandler<dim> unknowns{mesh};
  dealii::AffineConstraints<double> given{};
  dealii::Functions::CosineFunction<dim> exact{};  // product of cos(pi/2 x_i)

  problem(int p, unsigned refinements) : order(p) {
    if (dim == 2) {
      dealii::GridGenerator::hyper_ball(mesh);
    } else {
      dealii::GridGenerator::hyper_shell(mesh, {}, 0.5, 1.0, 12);
    }
    mesh.refine_global(refinements);
    unknowns.distribute_dofs(fe);
    dealii::VectorTools::interpolate_boundary_values(mapping, unknowns, 0, exact, given);
    given.close();
  }
};

// The load of f = dim (pi/2)^2 u, and the given values.
template <int dim>
vector right_hand_side(const problem<dim>& p) {
  vector b(p.unknowns.n_dofs());
  dealii::VectorTools::create_right_hand_side(p.mapping, p.unknowns, p.points, p.exact, b);
  b *= dim * dealii::numbers::PI * dealii::numbers::PI / 4;
  p.given.distribute(b);
  return b;
}

// The largest difference from deal.II's own matrix at unknowns without given values, as a part of the largest entry.
template <int dim>
double difference(const problem<dim>& p, const laplace_operator& A) {
  dealii::DynamicSparsityPattern entries(p.unknowns.n_dofs());
  dealii::DoFTools::make_sparsity_pattern(p.unknowns, entries);
  dealii::SparsityPattern pattern;
  pattern.copy_from(entries);
  dealii::SparseMatrix<double> own(pattern);
  dealii::MatrixCreator::create_laplace_matrix(p.mapping, p.unknowns, p.points, own);

  vector x(p.unknowns.n_dofs()), y(x), own_y(x);
  for (unsigned i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + i * i % 1009);
  p.given.set_zero(x);
  A.vmult(y, x);
  own.vmult(own_y, x);
  p.given.set_zero(own_y);
  y -= own_y;
  return y.linfty_norm() / own_y.linfty_norm();
}

// The error of the solution in L2, or NaN where the operator differs from deal.II's.
template <int dim>
double solve(int order, unsigned refinements) {
  const problem<dim> p(order, refinements);
  vector u(p.unknowns.n_dofs()), b = right_hand_side(p);

  // snippet solve
  const laplace_operator A(p.mapping, p.unknowns, p.given);
  A.eliminate(b);  // b has the load, and the given values at their numbers
  dealii::DiagonalMatrix<vector> jacobi(vector(b.size()));
  A.diagonal(jacobi.get_vector());
  for (double& entry : jacobi.get_vector()) entry = 1 / entry;
  dealii::SolverControl control(1000, 1e-12 * b.l2_norm());
  dealii::SolverCG<vector>(control).solve(A, u, b, jacobi);
  // end snippet

  vector of_cells(p.mesh.n_active_cells());
  dealii::VectorTools::integrate_difference(p.mapping, p.unknowns, u, p.exact, of_cells, p.points,
                                            dealii::VectorTools::L2_norm);
  const double error = of_cells.l2_norm(), from_own = difference(p, A);
  std::printf("%d-D, order %d, %5u cells, %6u unknowns: %3u iterations, error in L2 %.2e; y differs by %.1e\n", dim,
              order, p.mesh.n_active_cells(), unsigned(u.size()), control.last_step(), error, from_own);
  return from_own < 1e-12 ? error : NAN;
}

// Whether errors fall as they must.
template <int dim>
bool converges(int order, unsigned refinements) {
  const double coarse = solve<dim>(order, refinements), fine = solve<dim>(order, refinements + 1);
  return std::log2(coarse / fine) > order + 0.5;
}

}  // namespace

int main() try {
  const bool disc = converges<2>(4, 2), shell = converges<3>(3, 1);
  return disc && shell ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
