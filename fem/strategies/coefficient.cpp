// SPDX-License-Identifier: BSD-3-Clause
// Coefficients as values at quadrature points.
#include <tessera/error.hpp>
#include <tessera/fem/strategies/coefficient.hpp>
#include <tessera/fem/strategies/geometry.hpp>

#include <string>

namespace tessera::fem {

std::vector<double> values_at_points(const coefficient& c, const mesh& domain, const quadrature_grid& grid,
                                     const plan_options& options) {
  const index_t q = grid.size(), count = q * domain.elements();
  if (const auto* number = std::get_if<double>(&c))
    return std::vector<double>(static_cast<std::size_t>(count), *number);
  if (const auto* values = std::get_if<std::vector<double>>(&c)) {
    if (static_cast<index_t>(values->size()) != count)
      throw error("coefficient: " + std::to_string(values->size()) + " values for " +
                      std::to_string(domain.elements()) + " elements of " + std::to_string(q) + " points",
                  status::shape_mismatch);
    return *values;
  }
  const std::vector<double> x = coordinates_at_points(domain, grid, options);
  const auto& function = std::get<std::function<double(const point&)>>(c);
  std::vector<double> result;
  for (index_t e = 0; e < domain.elements(); ++e)
    for (index_t k = 0; k < q; ++k) {
      point at{};
      for (int a = 0; a < domain.dim(); ++a)
        at[static_cast<std::size_t>(a)] = x[static_cast<std::size_t>(k + q * (a + domain.dim() * e))];
      result.push_back(function(at));
    }
  return result;
}

}  // namespace tessera::fem
