// SPDX-License-Identifier: BSD-3-Clause
// A mesh of the unit square or cube whose cells are cut into triangles or tetrahedra, straight or curved.
#pragma once

#include "testing/at.hpp"

#include <tessera/fem/mesh.hpp>
#include <tessera/fem/simplex.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace tessera::testing {

/// Cells of n to a side. Each is cut along its diagonal from corner 0: one simplex for each order of the directions.
class simplex_mesh {
 public:
  simplex_mesh(int dim, int n) : dim_(dim) {
    std::array<int, 3> order{0, 1, 2};
    std::vector<std::array<int, 3>> orders;
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.begin() + dim));
    for (int cell = 0; cell < (dim == 3 ? n * n * n : n * n); ++cell)
      for (const auto& directions : orders) {
        std::array<fem::point, 4> corners{};
        corners[0] = {double(cell % n) / n, double(cell / n % n) / n, dim == 3 ? double(cell / n / n) / n : 0.0};
        for (int i = 0; i < dim; ++i) {
          corners[at(i + 1)] = corners[at(i)];
          corners[at(i + 1)][at(directions[at(i)])] += 1.0 / n;
        }
        if (is_odd(directions)) std::swap(corners[1], corners[2]);
        corners_.push_back(corners);
      }
  }

  int dim() const { return dim_; }
  index_t elements() const { return index_t(corners_.size()); }

  /// Where points of the reference element, coordinate a of point i at [a + dim i], are before the mesh is moved:
  /// [i + n (c + dim e)].
  std::vector<double> places(std::span<const double> points) const {
    const std::size_t dim = at(dim_), n = points.size() / dim;
    std::vector<double> to(n * dim * corners_.size());
    for (std::size_t e = 0; e < corners_.size(); ++e)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < dim; ++c) {
          double x = corners_[e][0][c];
          for (std::size_t a = 0; a < dim; ++a) x += points[a + dim * i] * (corners_[e][a + 1][c] - corners_[e][0][c]);
          to[i + n * (c + dim * e)] = x;
        }
    return to;
  }
  /// The same of the nodes of a basis, moved.
  std::vector<double> nodes(int order, const fem::deformation& move = {}) const {
    const fem::simplex_basis functions(fem::basis_kind::gauss_lobatto, dim_, order);
    std::vector<double> to = places(functions.nodes());
    const std::size_t n = at(functions.size()), dim = at(dim_);
    for (std::size_t e = 0; move && e < corners_.size(); ++e)
      for (std::size_t i = 0; i < n; ++i) {
        fem::point x{};
        for (std::size_t c = 0; c < dim; ++c) x[c] = to[i + n * (c + dim * e)];
        x = move(x);
        for (std::size_t c = 0; c < dim; ++c) to[i + n * (c + dim * e)] = x[c];
      }
    return to;
  }

 private:
  bool is_odd(const std::array<int, 3>& directions) const {
    int inversions = 0;
    for (int i = 0; i < dim_; ++i)
      for (int j = i + 1; j < dim_; ++j) inversions += directions[at(i)] > directions[at(j)] ? 1 : 0;
    return inversions % 2 == 1;
  }
  int dim_;
  std::vector<std::array<fem::point, 4>> corners_;
};

/// Numbers of the nodes of all elements, those at the same place alike: of node i of element e at [i + n e].
inline std::vector<int> numbered(const std::vector<double>& coordinates, int dim, index_t elements, int& count) {
  const std::size_t n = coordinates.size() / at(dim * elements);
  std::map<std::array<long, 3>, int> numbers;
  std::vector<int> result;
  for (std::size_t e = 0; e < at(elements); ++e)
    for (std::size_t i = 0; i < n; ++i) {
      std::array<long, 3> key{};
      for (std::size_t c = 0; c < at(dim); ++c) key[c] = std::lround(coordinates[i + n * (c + at(dim) * e)] * 1e9);
      result.push_back(numbers.try_emplace(key, int(numbers.size())).first->second);
    }
  count = int(numbers.size());
  return result;
}

}  // namespace tessera::testing
