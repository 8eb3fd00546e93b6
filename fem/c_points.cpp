// SPDX-License-Identifier: BSD-3-Clause
// Rules, faces, and what is at points of elements and faces, from C.
#include <tessera/fem/tessera_fem.h>

#include <tessera/c_status.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/fem/norms.hpp>

#include "c_options.hpp"
#include "c_restriction.hpp"

#include <algorithm>
#include <vector>

using namespace tessera;
using namespace tessera::fem;
using namespace tessera::fem::detail;

struct tessera_points : typed_operator<element_points> {};

namespace {

const tessera_points& checked_points(const tessera_points* of) {
  if (of == nullptr) refuse("null points", status::null_pointer);
  return *of;
}

void copy_rule(const quadrature_rule& rule, double* x, double* weights) {
  if (x != nullptr) std::copy(rule.points.begin(), rule.points.end(), x);
  if (weights != nullptr) std::copy(rule.weights.begin(), rule.weights.end(), weights);
}

std::vector<boundary_face> faces_from(const tessera_face* faces, int64_t count) {
  if (count < 0) refuse(std::to_string(count) + " faces");
  if (faces == nullptr && count > 0) refuse("null faces", status::null_pointer);
  tessera::detail::checked_product("element operator: faces", {count}, sizeof(boundary_face));
  std::vector<boundary_face> all;
  for (int64_t f = 0; f < count; ++f) all.push_back({faces[f].element, faces[f].face, faces[f].tag});
  return all;
}

// To an array with room for *count; to none if it is null.
template <class From, class To, class Convert>
void copy_found(const char* what, const std::vector<From>& found, To* to, int64_t* count, const Convert& convert) {
  const int64_t there_are = int64_t(found.size());
  if (to != nullptr && *count < there_are)
    refuse("room for " + std::to_string(*count) + " " + what + ", and there are " + std::to_string(there_are),
           status::shape_mismatch);
  *count = there_are;
  if (to != nullptr) std::transform(found.begin(), found.end(), to, convert);
}

template <class T>
fe_vector<T> vector_from(const tessera_restriction* r, T* at) {
  return r == nullptr ? fe_vector<T>(at) : fe_vector<T>(at, r->of);
}

// Coefficients, which points have none of, belong to operators of any kind.
tessera_element_nodes without_coefficients(const tessera_element_nodes* nodes) {
  if (nodes == nullptr) refuse("null nodes", status::null_pointer);
  tessera_element_nodes own = *nodes;
  own.coefficients = nullptr;
  own.coefficient_count = 0;
  own.coefficients_at_points = nullptr;
  return own;
}

// body(points, the result in their type)
template <class Body>
tessera_status at_points(const char* function, const tessera_points* of, void* out, const Body& body) {
  return c_status_of(function, [&] {
    checked_points(of).with([&]<class T>(const element_points<T>& at, T*) { body(at, static_cast<T*>(out)); });
  });
}

// body(points, u, the result), u and result in their type.
template <class Body>
tessera_status of_function(const char* function, const tessera_points* of, const tessera_restriction* r, const void* u,
                           void* out, const Body& body) {
  return at_points(function, of, out, [&]<class T>(const element_points<T>& at, T* to) {
    body(at, vector_from(r, static_cast<const T*>(u)), to);
  });
}

template <class Norm>
tessera_status norm_of(const char* function, const tessera_points* of, const tessera_restriction* r, const void* u,
                       double* norm, const Norm& compute) {
  return c_status_of(function, [&] {
    if (norm == nullptr) refuse("null norm", status::null_pointer);
    checked_points(of).with([&]<class T>(const element_points<T>& at, T*) {
      *norm = compute(at, vector_from(r, static_cast<const T*>(u)), static_cast<T*>(nullptr));
    });
  });
}

}  // namespace

extern "C" {

tessera_status tessera_gauss(int points, double* x, double* weights) {
  return c_status_of(__func__, [&] { copy_rule(gauss(points), x, weights); });
}
tessera_status tessera_gauss_lobatto(int points, double* x, double* weights) {
  return c_status_of(__func__, [&] { copy_rule(gauss_lobatto(points), x, weights); });
}

tessera_status tessera_box_faces(int dim, const int64_t* cells, tessera_face* faces, int64_t* count) {
  return c_status_of(__func__, [&] {
    if (cells == nullptr || count == nullptr)
      refuse(cells == nullptr ? "null cells" : "null count", status::null_pointer);
    box_spec box{.dim = dim};
    std::copy_n(cells, faces_of_element(dim) / 2, box.cells);
    copy_found("faces", box_faces(box), faces, count, [](const boundary_face& f) {
      return tessera_face{f.element, f.face, f.tag};
    });
  });
}

tessera_status tessera_restriction_numbers_on(const tessera_restriction* of, const tessera_element_options* options,
                                              const tessera_face* faces, int64_t face_count, int component,
                                              int64_t* numbers, int64_t* count) {
  return c_status_of(__func__, [&] {
    if (of == nullptr) refuse("null restriction", status::null_pointer);
    if (options == nullptr || count == nullptr)
      refuse(options == nullptr ? "null options" : "null count", status::null_pointer);
    if (options->tables != nullptr) refuse("functions by tables of the caller belong to faces that are not known");
    const element_operator_options o = options_from(*options, true);
    copy_found("numbers", numbers_on(of->of, faces_from(faces, face_count), options->dim, o.trial, o.shape, component),
               numbers, count, [](index_t number) { return int64_t(number); });
  });
}

tessera_status tessera_points_create(tessera_points** made, const tessera_element_options* options,
                                     const tessera_element_nodes* nodes) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      const element_operator_options o = options_from(*options, true);
      return element_points<T>(nodes_from<T>(without_coefficients(nodes), o, options->dim), o);
    });
  });
}

tessera_status tessera_points_create_on_faces(tessera_points** made, const tessera_element_options* options,
                                              const tessera_element_nodes* nodes, const tessera_face* faces,
                                              int64_t face_count) {
  return c_status_of(__func__, [&] {
    create(made, options, [&]<class T>(T*) {
      const element_operator_options o = options_from(*options, true);
      return element_points<T>(nodes_from<T>(without_coefficients(nodes), o, options->dim),
                               faces_from(faces, face_count), o);
    });
  });
}

tessera_points_sizes tessera_points_sizes_of(const tessera_points* of) {
  if (of == nullptr) return {};
  return of->with([](const auto& at, auto*) {
    return tessera_points_sizes{at.elements(), at.count(), at.points(), at.functions(), at.dim(), at.components()};
  });
}

tessera_status tessera_points_coordinates(const tessera_points* of, void* x) {
  return at_points(__func__, of, x, [](const auto& at, auto* to) { at.coordinates(to); });
}
tessera_status tessera_points_jacobians(const tessera_points* of, void* J) {
  return at_points(__func__, of, J, [](const auto& at, auto* to) { at.jacobians(to); });
}
tessera_status tessera_points_inverse_jacobians(const tessera_points* of, void* inverse) {
  return at_points(__func__, of, inverse, [](const auto& at, auto* to) { at.inverse_jacobians(to); });
}
tessera_status tessera_points_weights(const tessera_points* of, void* w) {
  return at_points(__func__, of, w, [](const auto& at, auto* to) { at.weights(to); });
}
tessera_status tessera_points_normals(const tessera_points* of, void* n) {
  return at_points(__func__, of, n, [](const auto& at, auto* to) { at.normals(to); });
}

tessera_status tessera_points_values(const tessera_points* of, const tessera_restriction* r, const void* u, void* out) {
  return of_function(__func__, of, r, u, out, [](const auto& at, auto from, auto* to) { at.values(from, to); });
}
tessera_status tessera_points_gradients(const tessera_points* of, const tessera_restriction* r, const void* u,
                                        void* out) {
  return of_function(__func__, of, r, u, out, [](const auto& at, auto from, auto* to) { at.gradients(from, to); });
}
tessera_status tessera_points_reference_gradients(const tessera_points* of, const tessera_restriction* r, const void* u,
                                                  void* out) {
  return of_function(__func__, of, r, u, out,
                     [](const auto& at, auto from, auto* to) { at.reference_gradients(from, to); });
}

tessera_status tessera_points_load(const tessera_points* of, const void* f, const tessera_restriction* r, void* b,
                                   int add) {
  return at_points(__func__, of, b, [&]<class T>(const element_points<T>& at, T* to) {
    const T* const from = static_cast<const T*>(f);
    add != 0 ? at.add_load(from, vector_from(r, to)) : at.load(from, vector_from(r, to));
  });
}
tessera_status tessera_points_gradient_load(const tessera_points* of, const void* F, const tessera_restriction* r,
                                            void* b, int add) {
  return at_points(__func__, of, b, [&]<class T>(const element_points<T>& at, T* to) {
    const T* const from = static_cast<const T*>(F);
    add != 0 ? at.add_gradient_load(from, vector_from(r, to)) : at.gradient_load(from, vector_from(r, to));
  });
}

tessera_status tessera_points_l2_norm(const tessera_points* of, const tessera_restriction* r, const void* u,
                                      const void* exact, double* norm) {
  return norm_of(__func__, of, r, u, norm, [&]<class T>(const element_points<T>& at, fe_vector<const T> from, T*) {
    return exact == nullptr ? l2_norm(at, from) : l2_error(at, from, static_cast<const T*>(exact));
  });
}
tessera_status tessera_points_h1_norm(const tessera_points* of, const tessera_restriction* r, const void* u,
                                      const void* exact, double* norm) {
  return norm_of(__func__, of, r, u, norm, [&]<class T>(const element_points<T>& at, fe_vector<const T> from, T*) {
    return exact == nullptr ? h1_seminorm(at, from) : h1_error(at, from, static_cast<const T*>(exact));
  });
}

const char* tessera_points_describe(const tessera_points* of) {
  return of == nullptr ? nullptr : of->description.c_str();
}
void tessera_points_destroy(tessera_points* of) { delete of; }

}  // extern "C"
