// SPDX-License-Identifier: BSD-3-Clause
// A user's program: interpolates x^2 along one axis of many elements, through both ways, and checks it.
#include <tessera/cpu/contract.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

int main() try {
  using namespace tessera;
  constexpr int order = 3, d = order + 1, q = order + 2, columns = 6, elements = 37;
  const fem::basis lagrange(fem::basis_kind::gauss_lobatto, order);
  const fem::quadrature_rule rule = fem::gauss(q);
  const fem::basis_tables tables = fem::tabulate(lagrange, rule);

  auto b1d = make_tensor<double>(of_size<q, d>());
  auto x = make_batch<double>(of_size<d, columns>(), elements);
  auto y = make_batch<double>(of_size<q, columns>(), elements);
  auto z = make_batch<double>(of_size<q, columns>(), elements);
  for (int k = 0; k < q; ++k)
    for (int j = 0; j < d; ++j) b1d(k, j) = tables.B[static_cast<std::size_t>(k + q * j)];
  for (int e = 0; e < elements; ++e)
    for (int j = 0; j < d; ++j)
      for (int c = 0; c < columns; ++c)
        x(e)(j, c) = std::pow(lagrange.nodes()[static_cast<std::size_t>(j)], 2) * (c + e);

  const auto interpolate = make_plan(contraction("kj,jc->kc"), b1d, x, y);
  interpolate.run(b1d, x, y);
  contract<"kj,jc->kc">(b1d, x, z);

  double worst = 0;
  for (int e = 0; e < elements; ++e)
    for (int k = 0; k < q; ++k)
      for (int c = 0; c < columns; ++c) {
        const double exact = std::pow(rule.points[static_cast<std::size_t>(k)], 2) * (c + e);
        worst = std::max({worst, std::abs(y(e)(k, c) - exact), std::abs(z(e)(k, c) - exact)});
      }
  std::cout << interpolate.describe() << "\nlargest error " << worst << '\n';
  return worst < 1e-13 * (columns + elements) ? 0 : 1;
} catch (const tessera::error& fault) {
  std::cerr << fault.what() << '\n';
  return 1;
}
