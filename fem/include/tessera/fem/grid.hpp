// SPDX-License-Identifier: BSD-3-Clause
// The quadrature points of an element: a tensor product of one rule a direction.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/fem/quadrature.hpp>

#include <array>
#include <vector>

namespace tessera::fem {

/// Coordinates in 2-D or 3-D; the third is 0 in 2-D.
using point = std::array<double, 3>;

/// Point k = k1 + q1 (k2 + q2 k3), first direction fastest.
struct quadrature_grid {
  std::vector<quadrature_rule> axis;  // 2 or 3 of them

  int dim() const { return static_cast<int>(axis.size()); }
  int points(int direction) const { return static_cast<int>(axis[static_cast<std::size_t>(direction)].points.size()); }
  /// In all directions.
  std::vector<int> points() const {
    std::vector<int> all(axis.size());
    for (int a = 0; a < dim(); ++a) all[static_cast<std::size_t>(a)] = points(a);
    return all;
  }
  index_t size() const {
    index_t product = 1;
    for (int a = 0; a < dim(); ++a) product *= points(a);
    return product;
  }
  /// (k1, k2, k3) of point k.
  std::array<int, 3> index(index_t k) const {
    std::array<int, 3> at{};
    for (int a = 0; a < dim(); ++a) {
      at[static_cast<std::size_t>(a)] = static_cast<int>(k % points(a));
      k /= points(a);
    }
    return at;
  }
  /// Product of the directions' weights; they add up to 1.
  double weight(index_t k) const {
    const std::array<int, 3> at = index(k);
    double product = 1;
    for (std::size_t a = 0; a < axis.size(); ++a) product *= axis[a].weights[static_cast<std::size_t>(at[a])];
    return product;
  }
  std::vector<double> weights() const {
    std::vector<double> all;
    for (index_t k = 0; k < size(); ++k) all.push_back(weight(k));
    return all;
  }
};

/// Gauss points, points[a] of them in direction a.
inline quadrature_grid gauss_grid(const std::vector<int>& points) {
  quadrature_grid grid;
  for (const int q : points) grid.axis.push_back(gauss(q));
  return grid;
}

}  // namespace tessera::fem
