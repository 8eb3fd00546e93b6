// SPDX-License-Identifier: BSD-3-Clause
// Derivatives at points of the polynomials through them, in barycentric form.
#include <cmath>

#include <tessera/error.hpp>
#include <tessera/fem/element_operator.hpp>

namespace tessera::fem {

std::vector<double> differentiation_matrix(const std::vector<double>& points) {
  const std::size_t q = points.size();
  constexpr std::size_t most = 1000;
  if (q > most)
    throw error("differentiation_matrix: " + std::to_string(q) + " points; at most " + std::to_string(most) +
                " can be served");
  for (std::size_t k = 0; k < q; ++k)
    if (!std::isfinite(points[k]))
      throw error("differentiation_matrix: point " + std::to_string(k) + " is " + std::to_string(points[k]));
  for (std::size_t k = 0; k + 1 < q; ++k)
    if (!(points[k] < points[k + 1])) throw error("differentiation_matrix: the points do not ascend");

  std::vector<long double> scale(q, 1);  // product of x_k - x_l over l != k
  for (std::size_t k = 0; k < q; ++k)
    for (std::size_t l = 0; l < q; ++l)
      if (l != k) scale[k] *= static_cast<long double>(points[k]) - points[l];

  std::vector<double> C(q * q);
  for (std::size_t k = 0; k < q; ++k) {
    long double diagonal = 0;
    for (std::size_t l = 0; l < q; ++l) {
      if (l == k) continue;
      const long double distance = static_cast<long double>(points[k]) - points[l];
      diagonal += 1 / distance;
      C[k + q * l] = static_cast<double>(scale[k] / (scale[l] * distance));
    }
    C[k + q * k] = static_cast<double>(diagonal);
  }

  for (std::size_t k = 0; k < q * q; ++k)
    if (!std::isfinite(C[k]))
      throw error("differentiation_matrix: points are so near that the derivative at point " + std::to_string(k % q) +
                  " of the polynomial of point " + std::to_string(k / q) + " is " + std::to_string(C[k]));

  // What mirrors up to rounding shall mirror exactly.
  bool mirrors = true;
  for (std::size_t k = 0; k < q / 2; ++k) mirrors = mirrors && points[q - 1 - k] == 1 - points[k];
  if (mirrors)
    for (std::size_t l = 0; l < q; ++l)
      for (std::size_t k = 0; k < (q + 1) / 2; ++k) {
        const std::size_t k2 = q - 1 - k, l2 = q - 1 - l;
        if (k2 == k && l2 < l) continue;  // done from the other end
        C[k2 + q * l2] = -C[k + q * l];
        if (k2 == k && l2 == l) C[k + q * l] = 0;
      }
  return C;
}

}  // namespace tessera::fem
