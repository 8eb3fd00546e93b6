// SPDX-License-Identifier: BSD-3-Clause
// The first element operator: diffusion of order 4 on two hexahedra, applied, and the matrix of one of them.
#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  // snippet operator
  namespace fem = tessera::fem;
  // Your mesh: coordinate c of corner i of element e at [i + 8 (c + 3 e)]. Here [0,1]^3, and [1,3] x [0,1]^2.
  const std::vector<double> corners{0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1,
                                    1, 3, 1, 3, 1, 3, 1, 3, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
  const fem::element_nodes<double> mesh{.dim = 3, .order = 1, .elements = 2, .coordinates = corners.data()};
  const fem::element_operator<double> A(mesh, {.kind = tessera::operator_kind::diffusion, .trial = {.order = 4}});

  std::vector<double> x(2 * 125, 1.0), y(x.size()), M(125 * 125);
  A.apply(x.data(), y.data());      // y = B^T D B x: 125 values of element 0, then those of element 1
  A.assemble(0, 1, M.data());       // the matrix of element 0
  std::puts(A.describe().c_str());  // which kernel ran
  // end snippet

  double most = 0, sum = 0;
  for (const double value : y) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < 125; ++i) sum += M[126 * i];
  std::printf("The gradient of 1 is 0: the largest entry of y is %.1e; the trace of the matrix is %.3f.\n", most, sum);
  return most < 1e-12 && sum > 0 ? 0 : 1;
}
