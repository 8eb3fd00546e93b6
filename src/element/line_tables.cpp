// SPDX-License-Identifier: BSD-3-Clause
// Looks at tables of one direction, transposes them, multiplies them out.
#include "line_tables.hpp"

#include <tessera/gpu/detail/element/constants.hpp>

namespace tessera::detail {

bool mirrors(const std::vector<double>& entries, index_t m, index_t n, int sign) {
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < m; ++k)
      if (entries[std::size_t((m - 1 - k) + m * (n - 1 - i))] != sign * entries[std::size_t(k + m * i)]) return false;
  return true;
}

bool is_identity(const std::vector<double>& entries, index_t n) {
  for (index_t i = 0; i < n * n; ++i)
    if (entries[std::size_t(i)] != (i % (n + 1) == 0 ? 1.0 : 0.0)) return false;
  return true;
}

std::vector<double> transposed_table(const std::vector<double>& entries, index_t m, index_t n) {
  std::vector<double> result(entries.size());
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < m; ++k) result[std::size_t(i + n * k)] = entries[std::size_t(k + m * i)];
  return result;
}

std::vector<double> slopes_of(const std::vector<double>& differentiate, const std::vector<double>& values, index_t q,
                              index_t n) {
  return device::slopes_of(differentiate, values, int(q), int(n));
}

dense_basis product_basis(const std::vector<double>& values, const std::vector<double>& slopes, int q, int n, int dim) {
  index_t points = 1, functions = 1;
  for (int a = 0; a < dim; ++a) points *= q, functions *= n;
  dense_basis all{int(functions), {}, {}};
  // The derivative in direction `slope`; -1: the value.
  const auto entry = [&](index_t k, index_t i, int slope) {
    double product = 1;
    for (int a = 0; a < dim; ++a, k /= q, i /= n)
      product *= (a == slope ? slopes : values)[std::size_t(k % q + q * (i % n))];
    return product;
  };
  for (int slope = -1; slope < dim; ++slope) {
    std::vector<double>& to = slope < 0 ? all.values : all.gradients;
    to.reserve(std::size_t(points * functions * dim));
    for (index_t i = 0; i < functions; ++i)
      for (index_t k = 0; k < points; ++k) to.push_back(entry(k, i, slope));
  }
  return all;
}

}  // namespace tessera::detail
