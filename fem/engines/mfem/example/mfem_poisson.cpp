// SPDX-License-Identifier: BSD-3-Clause
// -div grad u = f by MFEM, on bent cubes and on squares with hanging nodes, with Tessera's operator in its solver.
#include "diffusion_operator.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

namespace {

double exact(const mfem::Vector& x) {
  double u = 1;
  for (const double c : x) u *= std::cos(c);
  return u;
}

void bend(const mfem::Vector& x, mfem::Vector& to) {
  to = x;
  to[0] += 0.1 * x[1] * x[1];
  to[1] += 0.1 * std::sin(2 * x[0]);
}

mfem::Mesh bent_cubes(int order) {
  mfem::Mesh mesh = mfem::Mesh::MakeCartesian3D(2, 2, 2, mfem::Element::HEXAHEDRON);
  mesh.SetCurvature(order);
  mesh.Transform(bend);
  return mesh;
}

mfem::Mesh squares_with_hanging_nodes(int order) {
  mfem::Mesh mesh = mfem::Mesh::MakeCartesian2D(3, 2, mfem::Element::QUADRILATERAL);
  mesh.SetCurvature(order);
  mesh.Transform(bend);
  mesh.EnsureNCMesh();
  mesh.GeneralRefinement(mfem::Array<int>({1, 3}));
  return mesh;
}

// The largest difference from MFEM's own operator by partial assembly, as a part of the largest entry.
double difference(mfem::FiniteElementSpace& space, const mfem::Operator& A) {
  // As many Gauss points as Tessera's operators have, order + 2.
  const int degree = 2 * space.GetMaxElementOrder() + 3;
  const mfem::IntegrationRule& points = mfem::IntRules.Get(space.GetMesh()->GetTypicalElementGeometry(), degree);
  mfem::BilinearForm own(&space);
  own.SetAssemblyLevel(mfem::AssemblyLevel::PARTIAL);
  own.AddDomainIntegrator(new mfem::DiffusionIntegrator(&points));
  own.Assemble();

  mfem::Vector x(A.Width()), y(A.Height()), own_y(A.Height());
  x.Randomize(1);
  A.Mult(x, y);
  own.Mult(x, own_y);
  y -= own_y;
  return y.Normlinf() / own_y.Normlinf();
}

// The error of the solution in L2, or NaN where the operator differs from MFEM's.
double solve(mfem::Mesh& mesh, int order) {
  const int dim = mesh.Dimension();
  mfem::H1_FECollection functions(order, dim);
  mfem::FiniteElementSpace space(&mesh, &functions);
  mfem::FunctionCoefficient u_exact(exact);
  mfem::FunctionCoefficient f([dim](const mfem::Vector& x) { return dim * exact(x); });
  mfem::LinearForm b(&space);
  b.AddDomainIntegrator(new mfem::DomainLFIntegrator(f, 2, 2));
  b.Assemble();
  mfem::Array<int> boundary(mesh.bdr_attributes.Max()), essential;
  boundary = 1;
  space.GetEssentialTrueDofs(boundary, essential);
  mfem::GridFunction u(&space);
  u = 0.0;
  u.ProjectBdrCoefficient(u_exact, boundary);

  // snippet solve
  diffusion_operator A(space);
  mfem::Operator* constrained;
  mfem::Vector true_u, true_b;
  A.FormLinearSystem(essential, u, b, constrained, true_u, true_b);
  const std::unique_ptr<mfem::Operator> owned(constrained);
  mfem::Vector diagonal(A.Height()), true_diagonal(true_b.Size());
  A.AssembleDiagonal(diagonal);
  if (const mfem::Operator* P = A.GetProlongation()) {
    P->AbsMultTranspose(diagonal, true_diagonal);
  } else {
    true_diagonal = diagonal;
  }
  mfem::OperatorJacobiSmoother jacobi(true_diagonal, essential);
  mfem::CGSolver solver;
  solver.SetRelTol(1e-12);
  solver.SetMaxIter(1000);
  solver.SetOperator(*constrained);
  solver.SetPreconditioner(jacobi);
  solver.Mult(true_b, true_u);
  A.RecoverFEMSolution(true_u, b, u);
  // end snippet

  const double error = u.ComputeL2Error(u_exact), from_own = difference(space, A);
  std::printf("%d-D, order %d, %4d elements, %5d unknowns: %3d iterations, error in L2 %.2e; y differs by %.1e\n", dim,
              order, mesh.GetNE(), space.GetTrueVSize(), solver.GetNumIterations(), error, from_own);
  return solver.GetConverged() && from_own < 1e-12 ? error : NAN;
}

// Whether errors fall as they must.
bool converges(mfem::Mesh mesh, int order) {
  const double coarse = solve(mesh, order);
  mesh.UniformRefinement();
  return std::log2(coarse / solve(mesh, order)) > order + 0.5;
}

}  // namespace

int main() try {
  const bool cubes = converges(bent_cubes(3), 3), squares = converges(squares_with_hanging_nodes(4), 4);
  return cubes && squares ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
