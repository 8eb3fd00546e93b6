// SPDX-License-Identifier: BSD-3-Clause
// The energy x' A x, A being a diffusion operator and x the nodal values of x^2 on unit cubes; sums by a contraction.
#include "energy.h"

#include <tessera/fem/element_operator.hpp>
#include <tessera/tessera.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace tessera;

double energy(int order, index_t elements) {
  const fem::basis lagrange(fem::basis_kind::gauss_lobatto, order);
  const index_t d = order + 1, entries = d * d * d;
  std::vector<double> corners(static_cast<std::size_t>(24 * elements));
  for (index_t e = 0; e < elements; ++e)
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 8; ++i) corners[std::size_t(i + 8 * (c + 3 * e))] = i >> c & 1;
  const fem::element_operator<double> A({.dim = 3, .order = 1, .elements = elements, .coordinates = corners.data()},
                                        {.kind = operator_kind::diffusion, .trial = {.order = order}});

  auto x = make_batch<double>(of_size(entries, 1), elements), y = make_batch<double>(of_size(entries, 1), elements);
  auto energies = make_batch<double>(of_size(1, 1), elements);
  for (index_t e = 0; e < elements; ++e)
    for (index_t i = 0; i < entries; ++i) x(e)(i, 0) = std::pow(lagrange.nodes()[std::size_t(i % d)], 2);
  A.apply(x.data(), y.data());
  make_plan(contraction("si,sj->ij"), x, y, energies).run(x, y, energies);
  double sum = 0;
  for (index_t e = 0; e < elements; ++e) sum += energies(e)(0, 0);
  return sum;
}

}  // namespace

double dirichlet_energy(int order, int elements) {
  try {
    return energy(order, elements);
  } catch (const tessera::error& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return -1;
  }
}
