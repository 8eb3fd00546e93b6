// SPDX-License-Identifier: BSD-3-Clause
// The tables of a basis at the points of a grid, as shared operands in the space and type of an operator.
#pragma once

#include <tessera/fem/basis.hpp>
#include <tessera/fem/chains.hpp>
#include <tessera/fem/field.hpp>
#include <tessera/fem/grid.hpp>

#include <vector>

namespace tessera::fem::detail {

template <class T>
struct grid_tables {
  std::vector<field<T>> B, G;  // (q,d) a direction

  grid_tables() = default;
  grid_tables(const basis& functions, const quadrature_grid& grid, space_kind space) {
    for (const quadrature_rule& rule : grid.axis) {
      const basis_tables t = tabulate(functions, rule);
      const shape sizes = of_size(t.q, t.d);
      B.emplace_back(space, sizes, 1, std::vector<T>(t.B.begin(), t.B.end()));
      G.emplace_back(space, sizes, 1, std::vector<T>(t.G.begin(), t.G.end()));
    }
  }

  /// B in every direction; G instead in direction `derivative`.
  direction_tables operands(int derivative = -1) const {
    direction_tables result;
    for (std::size_t a = 0; a < B.size(); ++a)
      result.push_back((static_cast<int>(a) == derivative ? G : B)[a].shared());
    return result;
  }
};

/// B(k,i) = product over the directions of B_a(k_a,i_a): (q,d) with all points and functions of an element.
template <class T>
std::vector<T> dense_table(const basis& functions, const quadrature_grid& grid) {
  std::vector<double> dense{1.0};
  std::size_t q = 1, d = 1;
  for (const quadrature_rule& rule : grid.axis) {
    const basis_tables t = tabulate(functions, rule);
    const auto q1 = static_cast<std::size_t>(t.q), d1 = static_cast<std::size_t>(t.d);
    std::vector<double> next(dense.size() * q1 * d1);
    for (std::size_t i1 = 0; i1 < d1; ++i1)
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t k1 = 0; k1 < q1; ++k1)
          for (std::size_t k = 0; k < q; ++k)
            next[k + q * k1 + q * q1 * (i + d * i1)] = dense[k + q * i] * t.B[k1 + q1 * i1];
    dense = std::move(next);
    q *= q1;
    d *= d1;
  }
  return std::vector<T>(dense.begin(), dense.end());
}

}  // namespace tessera::fem::detail
