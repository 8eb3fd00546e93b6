// SPDX-License-Identifier: BSD-3-Clause
// Multiplies tables of one direction out.
#include "product_tables.hpp"

#include <tessera/core/types.hpp>

namespace tessera::detail {

dense_basis product_tables(const std::vector<double>& values, const std::vector<double>& slopes, int q, int n,
                           int dim) {
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
