// SPDX-License-Identifier: BSD-3-Clause
// Element operators as textbooks have them: integrals over a mapped element, dense sums in long double.
#pragma once

#include "reference_element.hpp"

#include <tessera/detail/element/geometry_factors.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tessera::testing {

/// Of J[c][a], the derivative of coordinate c in direction a: its inverse by elimination. Returns the determinant.
template <int dim>
long double inverse_of(long double (&J)[dim][dim], long double (&inverse)[dim][dim]) {
  long double det = 1;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) inverse[i][j] = i == j ? 1 : 0;
  for (int i = 0; i < dim; ++i) {
    int pivot = i;
    for (int r = i + 1; r < dim; ++r)
      if (std::abs(J[r][i]) > std::abs(J[pivot][i])) pivot = r;
    if (pivot != i) {
      std::swap(J[i], J[pivot]);
      std::swap(inverse[i], inverse[pivot]);
      det = -det;
    }
    const long double by = J[i][i];
    det *= by;
    for (int j = 0; j < dim; ++j) J[i][j] /= by, inverse[i][j] /= by;
    for (int r = 0; r < dim; ++r) {
      if (r == i) continue;
      const long double times = J[r][i];
      for (int j = 0; j < dim; ++j) J[r][j] -= times * J[i][j], inverse[r][j] -= times * inverse[i][j];
    }
  }
  return det;
}

/// One element given by its nodes.
template <operator_kind kind, int dim>
class reference_nodes {
 public:
  static constexpr int parts = coupled_components(kind, dim);
  static constexpr bool flows = kind == operator_kind::convection || kind == operator_kind::advection_diffusion;
  static constexpr bool diffuses = kind == operator_kind::diffusion || kind == operator_kind::helmholtz ||
                                   kind == operator_kind::advection_diffusion;
  static constexpr bool of_value = kind == operator_kind::mass || kind == operator_kind::helmholtz || flows;
  static constexpr bool to_slopes = diffuses || kind == operator_kind::elasticity;

  reference_nodes(const fem::basis& trial, const fem::basis& test, const fem::basis& geometry,
                  const fem::quadrature_rule& rule)
      : u_(fem::tabulate(trial, rule)),
        v_(fem::tabulate(test, rule)),
        map_(fem::tabulate(geometry, rule)),
        weights_(rule.weights) {}

  /// y of x (d^dim, parts), nodes (n^dim, dim) and `given` coefficients a point. `size` becomes the largest entry of
  /// the same with absolute values all along.
  std::vector<long double> apply(const double* x, const double* nodes, const double* c, int given,
                                 long double& size) const {
    const index_t points = power(u_.q), nx = power(u_.d), ny = power(v_.d), n = power(map_.d);
    std::vector<long double> y(std::size_t(ny * parts)), sizes(y);
    for (index_t k = 0; k < points; ++k) {
      long double J[dim][dim] = {}, inverse[dim][dim];
      each_function<dim>(map_, k, [&](index_t i, const long double(&phi)[dim + 1]) {
        for (int r = 0; r < dim; ++r)
          for (int a = 0; a < dim; ++a) J[r][a] += phi[a] * nodes[i + n * r];
      });
      long double weight = inverse_of<dim>(J, inverse);
      for (index_t a = 0, rest = k; a < dim; ++a, rest /= u_.q) weight *= weights_[std::size_t(rest % u_.q)];
      const double* const own = c + given * k;
      accumulate(x, own, given, k, nx, ny, weight, inverse, false, y);
      accumulate(x, own, given, k, nx, ny, std::abs(weight), inverse, true, sizes);
    }
    size = *std::max_element(sizes.begin(), sizes.end());
    return y;
  }

 private:
  static index_t power(index_t n) { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }

  // One point's share: phi_i (..) or grad phi_i . (..), gradients being those in space.
  void accumulate(const double* x, const double* c, int given, index_t k, index_t nx, index_t ny, long double weight,
                  const long double (&inverse)[dim][dim], bool sizes, std::vector<long double>& y) const {
    const auto sign = [&](long double value) { return sizes ? std::abs(value) : value; };
    const auto in_space = [&](const long double(&phi)[dim + 1], int j) {
      long double slope = 0;
      for (int a = 0; a < dim; ++a) slope += sign(phi[a]) * sign(inverse[a][j]);
      return slope;
    };
    long double value[parts] = {}, gradient[parts][dim] = {}, out = 0, flux[parts][dim] = {};
    each_function<dim>(u_, k, [&](index_t i, const long double(&phi)[dim + 1]) {
      for (int p = 0; p < parts; ++p) {
        const long double entry = sign(x[i + nx * p]);
        value[p] += sign(phi[dim]) * entry;
        for (int j = 0; j < dim; ++j) gradient[p][j] += in_space(phi, j) * entry;
      }
    });
    const auto coefficient = [&](int i) { return sign(c[i]); };
    if constexpr (kind == operator_kind::mass || kind == operator_kind::helmholtz) out = coefficient(0) * value[0];
    if constexpr (diffuses) {
      const int first = kind == operator_kind::helmholtz ? 1 : 0, behind = flows ? dim : 0;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
          const int low = std::min(i, j), high = std::max(i, j);
          int place = high - low;  // of entry (low, high) among 00 01 02 11 12 22
          for (int row = 0; row < low; ++row) place += dim - row;
          if (given - first - behind > 1)
            flux[0][i] += coefficient(first + place) * gradient[0][j];
          else if (i == j)
            flux[0][i] += coefficient(first) * gradient[0][j];
        }
    }
    if constexpr (flows)
      for (int j = 0; j < dim; ++j) out += coefficient(given - dim + j) * gradient[0][j];
    if constexpr (kind == operator_kind::elasticity) {
      long double divergence = 0;
      for (int j = 0; j < dim; ++j) divergence += gradient[j][j];
      for (int p = 0; p < dim; ++p)
        for (int j = 0; j < dim; ++j)
          flux[p][j] = coefficient(1) * (gradient[p][j] + gradient[j][p]) + (p == j ? coefficient(0) * divergence : 0);
    }
    each_function<dim>(v_, k, [&](index_t i, const long double(&phi)[dim + 1]) {
      for (int p = 0; p < parts; ++p) {
        long double& entry = y[std::size_t(i + ny * p)];
        if constexpr (of_value) entry += weight * sign(phi[dim]) * out;
        if constexpr (to_slopes)
          for (int j = 0; j < dim; ++j) entry += weight * in_space(phi, j) * flux[p][j];
      }
    });
  }

  fem::basis_tables u_, v_, map_;
  std::vector<double> weights_;
};

}  // namespace tessera::testing
