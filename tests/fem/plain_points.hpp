// SPDX-License-Identifier: BSD-3-Clause
// Meshes for tests at points, and the functions of an element at its points as a textbook has them.
#pragma once

#include "seeded.hpp"
#include "simplex_mesh.hpp"
#include "testing/catch.hpp"

#include <tessera/fem/points.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::testing {

using fem::boundary_face;
using fem::element_operator_options;
using fem::element_points;
using fem::element_shape;
using fem::fe_vector;
using fem::mapped_point;

/// Elements of that order on the unit segment, square or cube, inside and boundary moved.
template <class T>
struct moved_mesh {
  int dim, order;
  element_shape shape;
  index_t elements = 0;
  std::vector<T> coordinates{};

  moved_mesh(int d, int p, element_shape s, double by = 0.15) : dim(d), order(p), shape(s) {
    const auto move = [=](const fem::point& x) {
      fem::point to = x;
      for (std::size_t a = 0; a < at(d); ++a) {
        double bump = by * std::cos(2 * x[a] + double(a));
        for (std::size_t b = 0; b < at(d); ++b) bump *= b == a ? 1 : 0.5 + x[b];
        to[a] += bump;
      }
      return to;
    };
    std::vector<double> all;
    if (d == 1) {
      elements = 5;
      const fem::basis line(fem::basis_kind::gauss_lobatto, p);
      for (index_t e = 0; e < elements; ++e)
        for (const double x : line.nodes()) all.push_back(move({(double(e) + x) / double(elements), 0, 0})[0]);
    } else if (s == element_shape::simplex) {
      const simplex_mesh domain(d, 2);
      elements = domain.elements();
      all = domain.nodes(p, move);
    } else {
      const fem::mesh domain(d == 2 ? std::vector<int>{3, 4} : std::vector<int>{3, 2, 2}, p, move);
      elements = domain.elements();
      all.assign(domain.coordinates().begin(), domain.coordinates().end());
    }
    coordinates.assign(all.begin(), all.end());
  }

  fem::element_nodes<T> nodes() const {
    return {.dim = dim, .order = order, .elements = elements, .coordinates = coordinates.data()};
  }
  element_operator_options options(int p, int components = 1, int points = 0) const {
    return {.trial = {.order = p}, .components = components, .points = points, .shape = shape};
  }
  /// Every face of every element, those inside twice.
  std::vector<boundary_face> all_faces() const {
    std::vector<boundary_face> faces;
    for (index_t e = 0; e < elements; ++e)
      for (int f = 0; f < fem::faces_of_element(dim, shape); ++f) faces.push_back({e, f, f + 10});
    return faces;
  }
};

/// body(dim, shape) for all shapes there are.
template <class Body>
void each_shape(const Body& body) {
  for (const element_shape shape : {element_shape::cube, element_shape::simplex})
    for (const int dim : {1, 2, 3}) {
      INFO("dim " << dim << ", shape " << int(shape));
      body(dim, shape);
    }
}

/// Functions on an element, their values [i] and derivatives [i][a] at any point.
struct plain_functions {
  int dim, order;
  element_shape shape;
  index_t size() const {
    return shape == element_shape::simplex ? fem::simplex_basis(fem::basis_kind::gauss_lobatto, dim, order).size()
                                           : power(order + 1, dim);
  }
  void at_point(const double* x, std::vector<double>& values, std::vector<double>& slopes) const {
    const index_t n = size();
    values.assign(at(n), 1.0);
    slopes.assign(at(n * dim), 1.0);
    if (shape == element_shape::simplex) {
      const fem::simplex_basis functions(fem::basis_kind::gauss_lobatto, dim, order);
      functions.evaluate({x, at(dim)}, values);
      functions.gradient({x, at(dim)}, slopes);
      return;
    }
    const fem::basis line(fem::basis_kind::gauss_lobatto, order);
    const index_t d = line.size();
    std::vector<double> f(at(d)), df(at(d));
    for (index_t b = 0, stride = 1; b < dim; ++b, stride *= d) {
      line.evaluate(x[b], f);
      line.derivative(x[b], df);
      for (index_t i = 0; i < n; ++i) {
        values[at(i)] *= f[at(i / stride % d)];
        for (index_t a = 0; a < dim; ++a) slopes[at(i + n * a)] *= (a == b ? df : f)[at(i / stride % d)];
      }
    }
  }
};

/// The points of the options: coordinate a of point k at [a + dim k], and weights.
inline fem::point_rule plain_rule(int dim, element_shape shape, int n) {
  if (shape == element_shape::simplex) return fem::simplex_rule(dim, n);
  const fem::quadrature_rule line = fem::gauss(n);
  fem::point_rule rule{dim, {}, {}};
  for (index_t k = 0; k < power(n, dim); ++k) {
    double weight = 1;
    for (index_t a = 0, rest = k; a < dim; ++a, rest /= n) {
      rule.points.push_back(line.points[at(rest % n)]);
      weight *= line.weights[at(rest % n)];
    }
    rule.weights.push_back(weight);
  }
  return rule;
}

/// Largest difference over the largest number.
template <class A, class B>
double distance(const std::vector<A>& a, const std::vector<B>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0, size = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(double(a[i]) - double(b[i]));
    most = difference <= most ? most : difference;  // no number counts as large
    size = std::max(size, std::abs(double(b[i])));
  }
  return most / size;
}

template <class T>
double enough() {
  return sizeof(T) == 4 ? 2e-5 : 2e-13;
}

}  // namespace tessera::testing
