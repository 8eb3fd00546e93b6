// SPDX-License-Identifier: BSD-3-Clause
// D of one point from the nodes of its element: what a thread does when D is computed once, to be stored.
#pragma once

#include <tessera/detail/element/geometry_factors.hpp>
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

/// Whether a determinant is positive, and a normal number.
template <class T>
constexpr bool is_proper(T det) {
  constexpr bool is_float = sizeof(T) == sizeof(float);
  constexpr T least = is_float ? T(1.17549435082228750797e-38F) : T(2.22507385850720138309e-308);
  constexpr T most = is_float ? T(3.40282346638528859812e38F) : T(1.79769313486231570815e308);
  return det >= least && det <= most;
}

/// What is wrong with a point, if anything: a determinant that is not positive, or no normal number; a derivative too
/// large for D to keep its digits; D that is no finite number, or below the smallest normal number of the type that it
/// is kept in.
enum class point_fault { none, inverted, too_long, no_number, too_small };

/// Of numbers that become Stored.
template <class Stored, class T>
constexpr point_fault fault_of(const T* numbers, int count) {
  constexpr bool is_float = sizeof(Stored) == sizeof(float);
  constexpr T most = is_float ? T(3.40282346638528859812e38F) : T(1.79769313486231570815e308);
  constexpr T least = is_float && sizeof(T) > sizeof(float) ? T(1.17549435082228750797e-38F) : T(0);
  bool finite = true, seen = false, zero = true;
  for (int i = 0; i < count; ++i) {
    const T size = numbers[i] < T(0) ? -numbers[i] : numbers[i];
    finite = finite && size <= most;
    seen = seen || size >= least;
    zero = zero && size == T(0);
  }
  return !finite ? point_fault::no_number : seen || zero ? point_fault::none : point_fault::too_small;
}

/// Factor f of point k of element e to to[k + points (f + factors e)], unless `to` is null. Their fault.
template <operator_kind kind, int dim, class T, class Stored>
constexpr point_fault put_factors(const node_set_up<T>& s, index_t e, index_t k, const T (&J)[dim][dim], Stored* to) {
  constexpr int count = factors_of(kind, dim);
  T D[count] = {};
  const T* const own = s.coefficients + (s.varying ? s.given * (k + s.points * e) : 0);
  geometry::factors<kind, dim>::compute(J, s.weights[k], own, s.given, D);
  if (to != nullptr)
    for (int f = 0; f < count; ++f) to[k + s.points * (f + count * e)] = Stored(D[f]);
  return fault_of<Stored>(D, count);
}

/// D of a point; only looked at where `to` is null.
template <int dim, class T, class Stored>
constexpr point_fault set_up_point(operator_kind kind, const node_set_up<T>& s, index_t e, index_t k, Stored* to) {
  T J[dim][dim], A[dim][dim];
  jacobian_at<dim>(s, e, k, J);
  if (!is_proper(geometry::adjugate(J, A))) return point_fault::inverted;
  if (geometry::squares_inverse(kind, dim) && !geometry::within_longest(J)) return point_fault::too_long;
  return with_kind(kind, [&]<operator_kind known>(known_kind<known>) { return put_factors<known>(s, e, k, J, to); });
}

/// What set_up_points found: the first point, k + points e, that is inverted or has no number, or -1; and whether D is
/// too small everywhere.
struct set_up_result {
  index_t bad = -1;
  bool too_small = false;
};

/// D of all points, a thread each, in stream 0, `to` and what `s` names being in device memory; only checked where `to`
/// is null. Complete on return.
template <class T, class Stored>
set_up_result set_up_points(operator_kind kind, int dim, const node_set_up<T>& s, Stored* to);

}  // namespace tessera::device
