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

/// D of one element by dense sums, coefficients 1: factor f of point k at f + factors k.
template <class T, operator_kind kind, int dim>
std::vector<T> data_from_nodes_of(const element_sizes& s, const T* coordinates) {
  const fem::quadrature_rule rule = rule_of(s);
  const fem::basis_tables t = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, s.geometry - 1), rule);
  const index_t n = s.geometry_nodes();
  constexpr int factors = factors_of(kind, dim);
  std::vector<T> D(place(factors * s.points()));
  for (index_t k = 0; k < s.points(); ++k) {
    long double J[dim][dim] = {}, weight = 1;
    for (index_t b = 0, kk = k; b < dim; ++b, kk /= s.q) weight *= rule.weights[place(kk % s.q)];
    for (index_t i = 0; i < n; ++i)
      for (int a = 0; a < dim; ++a) {
        long double product = 1;
        for (index_t b = 0, kk = k, ii = i; b < dim; ++b, kk /= t.q, ii /= t.d)
          product *= (b == a ? t.G : t.B)[place(kk % t.q + t.q * (ii % t.d))];
        for (int c = 0; c < dim; ++c) J[c][a] += product * (long double)coordinates[i + n * c];
      }
    const long double ones[] = {1, 1, 1, 1, 1, 1, 1};
    long double own[factors];
    geometry::factors<kind, dim>::compute(J, weight, ones, coefficients_of(kind, dim).fewest, own);
    for (int f = 0; f < factors; ++f) D[place(f + factors * k)] = T(own[f]);
  }
  return D;
}

template <class T>
std::vector<T> data_from_nodes(const element_sizes& s, const T* coordinates) {
  return with_kind(s.kind, [&]<operator_kind kind>(known_kind<kind>) {
    return s.dim == 3 ? data_from_nodes_of<T, kind, 3>(s, coordinates) : data_from_nodes_of<T, kind, 2>(s, coordinates);
  });
}

}  // namespace tessera::bench
