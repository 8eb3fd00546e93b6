// SPDX-License-Identifier: BSD-3-Clause
// Makes the tables of points in elements and on faces, and checks the geometry there.
#include "points_state.hpp"

#include <tessera/error.hpp>

#include "face_check.hpp"
#include "host_memory.hpp"
#include "line_rule.hpp"
#include "nodes_layout.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace tessera::fem::detail {

namespace {

// D of a mass that is computed at each application is w det J: its checks are those of the geometry.
template <class T>
point_data<T> checked_by_mass(element_nodes<T> nodes, element_operator_options o) {
  if (o.on == target::cuda) o.on.reset();
  need_host("element_points: coordinates", nodes.coordinates);
  nodes.coefficients.clear();
  nodes.coefficients_at_points = nullptr;
  nodes.coefficients_given = 0;
  o.kind = operator_kind::mass;
  o.test.reset();
  o.form = element_form::matrix_free;
  o.storage = point_storage::same;
  if (o.tables) {  // that may lack values
    o.tables->test.reset();
    o.tables->trial = {.functions = 1, .values = std::vector<double>(std::size_t(std::max(o.tables->points, 0)), 1.0)};
  }
  return element_operator<T>(nodes, o).data();
}

template <class T>
typename points_state<T>::place place_by(const element_nodes<T>& nodes, const element_operator_options& o,
                                         const std::vector<quadrature_rule>& axes) {
  typename points_state<T>::place place{point_tables<T>(basis(o.trial.kind, o.trial.order), axes),
                                        point_tables<T>(basis(basis_kind::gauss_lobatto, nodes.order), axes),
                                        {},
                                        {}};
  for (index_t k = 0; k < place.functions.points(); ++k) {
    double weight = 1;
    index_t rest = k;
    for (const quadrature_rule& rule : axes) {
      weight *= rule.weights[std::size_t(rest) % rule.weights.size()];
      rest /= index_t(rule.weights.size());
    }
    place.weights.push_back(T(weight));
  }
  return place;
}

template <class T>
typename points_state<T>::place place_by(int dim, index_t points, const dense_basis& functions,
                                         const dense_basis& geometry, const std::vector<double>& weights) {
  return {point_tables<T>("the functions", dim, points, functions),
          point_tables<T>("the geometry", dim, points, geometry),
          std::vector<T>(weights.begin(), weights.end()),
          {}};
}

template <class T>
typename points_state<T>::place place_by(const element_nodes<T>& nodes, const element_operator_options& o,
                                         const point_rule& rule) {
  return place_by<T>(rule.dim, rule.size(), tabulate(simplex_basis(o.trial.kind, rule.dim, o.trial.order), rule),
                     tabulate(simplex_basis(basis_kind::gauss_lobatto, rule.dim, nodes.order), rule), rule.weights);
}

// Points of the face of the unit simplex that is opposite to corner `face`.
point_rule simplex_face_rule(int dim, int face, int n) {
  const point_rule flat = dim == 1 ? point_rule{.dim = 0, .points = {}, .weights = {1.0}} : simplex_rule(dim - 1, n);
  std::vector<int> corners;
  for (int i = 0; i <= dim; ++i)
    if (i != face) corners.push_back(i);
  const auto corner = [](int i, int a) { return i == a + 1 ? 1.0 : 0.0; };
  point_rule rule{.dim = dim, .points = {}, .weights = flat.weights};
  for (int k = 0; k < flat.size(); ++k)
    for (int a = 0; a < dim; ++a) {
      double x = corner(corners[0], a);
      for (int b = 0; b < dim - 1; ++b)
        x += flat.points[std::size_t(b) + std::size_t(dim - 1) * std::size_t(k)] *
             (corner(corners[std::size_t(b) + 1], a) - corner(corners[0], a));
      rule.points.push_back(x);
    }
  return rule;
}

template <class T>
std::vector<typename points_state<T>::place> places_on_faces(const element_nodes<T>& nodes,
                                                             const element_operator_options& o) {
  const int dim = nodes.dim;
  std::vector<typename points_state<T>::place> places;
  for (int face = 0; face < faces_of_element(dim, o.shape); ++face) {
    if (o.shape == element_shape::simplex) {
      const int n = o.points != 0 ? o.points : o.trial.order + 1;
      places.push_back(place_by(nodes, o, simplex_face_rule(dim, face, n)));
      for (int a = 0; a < dim; ++a) places.back().normal[a] = face == 0 ? T(1) : T(a + 1 == face ? -1 : 0);
      continue;
    }
    std::vector<quadrature_rule> axes(std::size_t(dim), line_rule(o));
    axes[std::size_t(face / 2)] = {{double(face % 2)}, {1.0}};
    places.push_back(place_by(nodes, o, axes));
    places.back().normal[face / 2] = T(face % 2 == 0 ? -1 : 1);
  }
  return places;
}

// Points on faces are none of those that have been checked.
template <class T>
void check_determinants(const points_state<T>& s) {
  const index_t q = s.points();
  std::atomic<index_t> bad = s.count() * q;  // the first of all
  point_loop<T>(s, s.count()).run(0, s.count(), [&](point_work<T>& work, index_t i) {
    for (index_t k = 0; k < q; ++k) {
      const index_t number = work.point(k).number;
      if (work.determinant() > 0) continue;
      index_t old = bad.load();
      while (number < old && !bad.compare_exchange_weak(old, number)) {
      }
      return void(i);
    }
  });
  if (bad == s.count() * q) return;
  const boundary_face& f = s.faces[std::size_t(bad / q)];
  throw error("element_points: element " + std::to_string(f.element) + " is inverted: its determinant at point " +
              std::to_string(bad % q) + " of " + std::to_string(q) + " on face " + std::to_string(f.face) +
              " is not positive");
}

}  // namespace

template <class T>
points_state<T> points_in_elements(const element_nodes<T>& nodes, const element_operator_options& o) {
  points_state<T> s{.nodes = nodes, .components = o.components, .checked = checked_by_mass(nodes, o)};
  if (o.tables)
    s.places.push_back(
        place_by<T>(nodes.dim, o.tables->points, o.tables->trial, o.tables->geometry, o.tables->weights));
  else if (o.shape == element_shape::simplex)
    s.places.push_back(place_by(nodes, o, simplex_rule(nodes.dim, o.points != 0 ? o.points : o.trial.order + 1)));
  else
    s.places.push_back(place_by(nodes, o, std::vector<quadrature_rule>(std::size_t(nodes.dim), line_rule(o))));
  s.layout = layout_of(nodes, s.places[0].geometry.functions());
  return s;
}

template <class T>
points_state<T> points_on_faces(const element_nodes<T>& nodes, std::span<const boundary_face> faces,
                                const element_operator_options& o) {
  if (o.tables) throw error("element_points: faces of elements with tables of the calling code are not known");
  points_state<T> s{.nodes = nodes,
                    .components = o.components,
                    .on_faces = true,
                    .faces = {faces.begin(), faces.end()},
                    .checked = checked_by_mass(nodes, o)};
  for (std::size_t f = 0; f < faces.size(); ++f)
    check_face("element_points", faces[f], index_t(f), nodes.elements, faces_of_element(nodes.dim, o.shape));
  s.places = places_on_faces(nodes, o);
  s.layout = layout_of(nodes, s.places[0].geometry.functions());
  check_determinants(s);
  return s;
}

template points_state<float> points_in_elements(const element_nodes<float>&, const element_operator_options&);
template points_state<double> points_in_elements(const element_nodes<double>&, const element_operator_options&);
template points_state<float> points_on_faces(const element_nodes<float>&, std::span<const boundary_face>,
                                             const element_operator_options&);
template points_state<double> points_on_faces(const element_nodes<double>&, std::span<const boundary_face>,
                                              const element_operator_options&);

}  // namespace tessera::fem::detail
