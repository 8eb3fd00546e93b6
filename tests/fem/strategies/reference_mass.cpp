// SPDX-License-Identifier: BSD-3-Clause
// Magnitudes of determinants by plain sums over the geometry nodes.
#include "reference_mass.hpp"

namespace tessera::testing {

std::vector<double> determinant_magnitudes(const fem::mesh& domain, const fem::quadrature_grid& grid,
                                           const fem::coefficient& rho) {
  const fem::basis functions(fem::basis_kind::gauss_lobatto, domain.order());
  std::vector<fem::basis_tables> tables;
  for (const fem::quadrature_rule& rule : grid.axis) tables.push_back(fem::tabulate(functions, rule));
  const std::vector<double> values = fem::values_at_points(rho, domain, grid);
  const int dim = domain.dim();
  std::vector<double> result;
  for (index_t e = 0; e < domain.elements(); ++e)
    for (index_t k = 0; k < grid.size(); ++k) {
      double J[3][3]{};  // component, direction
      for (index_t i = 0; i < domain.nodes(); ++i)
        for (int a = 0; a < dim; ++a) {
          double product = 1;
          index_t ki = k, ii = i;
          for (int b = 0; b < dim; ++b) {
            const fem::basis_tables& t = tables[static_cast<std::size_t>(b)];
            product *= std::abs((a == b ? t.G : t.B)[static_cast<std::size_t>(ki % t.q + t.q * (ii % t.d))]);
            ki /= t.q;
            ii /= t.d;
          }
          for (int c = 0; c < dim; ++c)
            J[c][a] +=
                product * std::abs(domain.coordinates()[static_cast<std::size_t>(i + domain.nodes() * (c + dim * e))]);
        }
      double permanent = 0;
      if (dim == 2) {
        permanent = J[0][0] * J[1][1] + J[1][0] * J[0][1];
      } else {
        for (int c = 0; c < 3; ++c) {
          const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
          permanent += J[c][0] * (J[c1][1] * J[c2][2] + J[c2][1] * J[c1][2]);
        }
      }
      result.push_back(permanent * grid.weight(k) * std::abs(values[static_cast<std::size_t>(k + grid.size() * e)]));
    }
  return result;
}

}  // namespace tessera::testing
