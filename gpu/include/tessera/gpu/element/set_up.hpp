// SPDX-License-Identifier: BSD-3-Clause
// D of one point from the nodes of its element: what a thread does when D is computed once, to be stored.
#pragma once

#include <tessera/element/geometry_factors.hpp>
#include <tessera/element/layout.hpp>

namespace tessera::device {

/// Elements by their nodes, and what the operator takes at points; all in the memory of the side that computes.
template <class T>
struct node_set_up {
  const T* coordinates = nullptr;
  element_layout layout{};
  const T* values = nullptr;   // (q,n): the geometry's functions of a direction at its points; null: dense tables
  const T* slopes = nullptr;   // (q,n): their derivatives; of dense tables (points, nodes, dim)
  const T* weights = nullptr;  // one a point
  const T* coefficients = nullptr;
  int given = 1;         // coefficients of a point
  bool varying = false;  // of each point, or one set
  int nodes = 2, q = 3;  // a direction; of dense tables nodes in all
  index_t points = 1, elements = 0;
};

/// J[c][a], the derivative of coordinate c in direction a, at point k of element e.
template <int dim, class T>
constexpr void jacobian_at(const node_set_up<T>& s, index_t e, index_t k, T (&J)[dim][dim]) {
  for (int c = 0; c < dim; ++c) {
    for (int a = 0; a < dim; ++a) J[c][a] = T(0);
    const T* const x = s.coordinates + s.layout.start(e, c);
    if (s.values == nullptr) {
      for (index_t i = 0; i < s.nodes; ++i)
        for (int a = 0; a < dim; ++a) J[c][a] += s.slopes[k + s.points * (i + s.nodes * a)] * x[s.layout.entry * i];
      continue;
    }
    const index_t q = s.q, k1 = k % q, k2 = k / q % q, k3 = k / q / q;
    index_t i = 0;
    for (index_t i3 = 0; i3 < (dim > 2 ? s.nodes : 1); ++i3)
      for (index_t i2 = 0; i2 < (dim > 1 ? s.nodes : 1); ++i2) {
        T line = T(0), slope = T(0);  // along the first direction
        for (index_t i1 = 0; i1 < s.nodes; ++i1, ++i) {
          line += s.values[k1 + q * i1] * x[s.layout.entry * i];
          slope += s.slopes[k1 + q * i1] * x[s.layout.entry * i];
        }
        const T b2 = dim > 1 ? s.values[k2 + q * i2] : T(1), b3 = dim > 2 ? s.values[k3 + q * i3] : T(1);
        J[c][0] += slope * (b2 * b3);
        if constexpr (dim > 1) J[c][1] += line * (s.slopes[k2 + q * i2] * b3);
        if constexpr (dim > 2) J[c][2] += line * (b2 * s.slopes[k3 + q * i3]);
      }
  }
}

/// Factor f of point k of element e to to[k + points (f + factors e)].
template <operator_kind kind, int dim, class T, class Stored>
constexpr void put_factors(const node_set_up<T>& s, index_t e, index_t k, const T (&J)[dim][dim], Stored* to) {
  constexpr int count = factors_of(kind, dim);
  T D[count];
  const T* const own = s.coefficients + (s.varying ? s.given * (k + s.points * e) : 0);
  geometry::factors<kind, dim>::compute(J, s.weights[k], own, s.given, D);
  for (int f = 0; f < count; ++f) to[k + s.points * (f + count * e)] = Stored(D[f]);
}

/// D of a point, unless `to` is null. Returns the determinant.
template <int dim, class T, class Stored>
constexpr T set_up_point(operator_kind kind, const node_set_up<T>& s, index_t e, index_t k, Stored* to) {
  T J[dim][dim], A[dim][dim];
  jacobian_at<dim>(s, e, k, J);
  const T det = geometry::adjugate(J, A);
  if (to == nullptr) return det;
  switch (kind) {
    case operator_kind::mass: put_factors<operator_kind::mass>(s, e, k, J, to); break;
    case operator_kind::diffusion: put_factors<operator_kind::diffusion>(s, e, k, J, to); break;
    case operator_kind::helmholtz: put_factors<operator_kind::helmholtz>(s, e, k, J, to); break;
    case operator_kind::convection: put_factors<operator_kind::convection>(s, e, k, J, to); break;
    case operator_kind::elasticity: put_factors<operator_kind::elasticity>(s, e, k, J, to); break;
  }
  return det;
}

/// D of all points, a thread each, in stream 0, `to` and what `s` names being in device memory; only checked where `to`
/// is null. Complete on return, which is the first point, k + points e, whose determinant is not positive, or -1.
template <class T, class Stored>
index_t set_up_points(operator_kind kind, int dim, const node_set_up<T>& s, Stored* to);

}  // namespace tessera::device
