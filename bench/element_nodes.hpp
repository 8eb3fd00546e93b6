// SPDX-License-Identifier: BSD-3-Clause
// Elements of the benchmarks as nodes: their coordinates, and D computed from them.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <tessera/detail/element/geometry_factors.hpp>

#include "definition/dense_element.hpp"

namespace tessera::bench {

/// Unit squares or cubes whose nodes are moved a little: node i of coordinate c of element e at i + n (c + dim e).
template <class T>
void fill_nodes(const element_sizes& s, std::span<T> coordinates) {
  const std::vector<double> on_line = fem::gauss_lobatto(s.geometry).points;
  const index_t n = s.geometry_nodes();
  const double most = 0.06 / s.geometry;
#pragma omp parallel for
  for (index_t at = 0; at < index_t(coordinates.size()); ++at) {
    index_t own = at % n;
    for (index_t c = at / n % s.dim; c > 0; --c) own /= s.geometry;
    coordinates[place(at)] = T(on_line[place(own % s.geometry)] + most * value_at(at, 2));
  }
}

/// D of elements by dense sums, coefficients 1: factor f of point k of element e at f + factors (k + points e). Real is
/// the type of the sums.
template <class Real, class T, operator_kind kind, int dim>
void fill_data_of(const element_sizes& s, const T* coordinates, std::span<T> D) {
  const fem::quadrature_rule rule = rule_of(s);
  const fem::basis_tables t = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, s.geometry - 1), rule);
  const index_t n = s.geometry_nodes(), points = s.points();
  constexpr int factors = factors_of(kind, dim);
  std::vector<Real> derivatives(place(dim * n * points)), weights(place(points), 1);  // of node i at point k
  for (index_t k = 0; k < points; ++k) {
    for (index_t b = 0, kk = k; b < dim; ++b, kk /= s.q) weights[place(k)] *= Real(rule.weights[place(kk % s.q)]);
    for (index_t i = 0; i < n; ++i)
      for (int a = 0; a < dim; ++a) {
        Real product = 1;
        for (index_t b = 0, kk = k, ii = i; b < dim; ++b, kk /= t.q, ii /= t.d)
          product *= Real((b == a ? t.G : t.B)[place(kk % t.q + t.q * (ii % t.d))]);
        derivatives[place(a + dim * (i + n * k))] = product;
      }
  }
#pragma omp parallel for
  for (index_t e = 0; e < index_t(D.size()) / (factors * points); ++e)
    for (index_t k = 0; k < points; ++k) {
      Real J[dim][dim] = {};
      for (index_t i = 0; i < n; ++i)
        for (int c = 0; c < dim; ++c)
          for (int a = 0; a < dim; ++a)
            J[c][a] += derivatives[place(a + dim * (i + n * k))] * Real(coordinates[i + n * (c + dim * e)]);
      const Real ones[] = {1, 1, 1, 1, 1, 1, 1};
      Real own[factors];
      geometry::factors<kind, dim>::compute(J, weights[place(k)], ones, coefficients_of(kind, dim).fewest, own);
      for (int f = 0; f < factors; ++f) D[place(f + factors * (k + points * e))] = T(own[f]);
    }
}

template <class Real, class T>
void fill_data(const element_sizes& s, const T* coordinates, std::span<T> D) {
  with_kind(s.kind, [&]<operator_kind kind>(known_kind<kind>) {
    if (s.dim == 3)
      fill_data_of<Real, T, kind, 3>(s, coordinates, D);
    else
      fill_data_of<Real, T, kind, 2>(s, coordinates, D);
  });
}

/// D of one element.
template <class T>
std::vector<T> data_from_nodes(const element_sizes& s, const T* coordinates) {
  std::vector<T> D(place(s.points() * factors_of(s.kind, s.dim)));
  fill_data<long double, T>(s, coordinates, D);
  return D;
}

}  // namespace tessera::bench
