// SPDX-License-Identifier: BSD-3-Clause
// The tables of a basis at the points of a grid, as shared operands in the space and type of an operator.
#pragma once

#include <tessera/fem/basis.hpp>
#include <tessera/fem/grid.hpp>
#include <tessera/fem/strategies/chains.hpp>
#include <tessera/fem/strategies/field.hpp>

#include <vector>

namespace tessera::fem::detail {

/// Values and derivatives in each direction, plain and transposed.
template <class T>
class grid_tables {
 public:
  grid_tables() = default;
  grid_tables(const basis& functions, const quadrature_grid& grid, space_kind space) {
    for (const quadrature_rule& rule : grid.axis) {
      const basis_tables t = tabulate(functions, rule);
      add(values_, t.B, t.q, t.d, space);
      add(slopes_, t.G, t.q, t.d, space);
    }
  }

  /// B in every direction; G instead in direction `derivative`.
  direction_tables operands(int derivative = -1) const {
    direction_tables result;
    for (std::size_t a = 0; a < values_.size(); ++a) {
      const both& table = (static_cast<int>(a) == derivative ? slopes_ : values_)[a];
      result.plain.push_back(table.plain.shared());
      result.transposed.push_back(table.transposed.shared());
    }
    return result;
  }

  std::size_t value_bytes() const { return bytes_of(values_); }
  std::size_t slope_bytes() const { return bytes_of(slopes_); }

 private:
  struct both {
    field<T> plain, transposed;  // (q,d), (d,q)
  };
  static void add(std::vector<both>& to, const std::vector<double>& table, int q, int d, space_kind space) {
    std::vector<T> transposed;
    for (int k = 0; k < q; ++k)
      for (int i = 0; i < d; ++i) transposed.push_back(static_cast<T>(table[static_cast<std::size_t>(k + q * i)]));
    to.push_back({field<T>(space, of_size(q, d), 1, std::vector<T>(table.begin(), table.end())),
                  field<T>(space, of_size(d, q), 1, transposed)});
  }
  static std::size_t bytes_of(const std::vector<both>& tables) {
    std::size_t bytes = 0;
    for (const both& one : tables) bytes += one.plain.bytes() + one.transposed.bytes();
    return bytes;
  }

  std::vector<both> values_, slopes_;  // one a direction
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
