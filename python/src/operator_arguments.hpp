// SPDX-License-Identifier: BSD-3-Clause
// operator_arguments: what an operator, or points, are made of, from the arguments of a call in Python.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <tessera/fem/element_operator.hpp>

#include "array.hpp"
#include "keywords.hpp"
#include "point_function.hpp"

namespace tessera::python {

/// What strings name, for keywords::one_of.
inline constexpr std::pair<const char*, fem::basis_kind> names_of_bases[] = {
    {"gauss_lobatto", fem::basis_kind::gauss_lobatto},
    {"gauss", fem::basis_kind::gauss},
    {"bernstein", fem::basis_kind::bernstein}};
inline constexpr std::pair<const char*, fem::element_shape> names_of_shapes[] = {
    {"cube", fem::element_shape::cube}, {"simplex", fem::element_shape::simplex}};

/// What stays known of an operator.
struct operator_facts {
  fem::element_operator_options options;
  scalar_type type = scalar_type::f64;
  int dim = 0;
  index_t elements = 0;
  int gpu = 0;          // whose memory it has, if it is on one
  nb::object function;  // a point_function, or null
  nb::object like;      // an empty array of the kind that results are

  const point_function* own_function() const;
  bool on_gpu() const { return options.on == target::cuda; }
  /// Points in each direction, the default resolved.
  int points_a_direction() const;
  /// The operator without elements.
  template <class T>
  fem::element_operator<T> empty() const;
};

struct operator_arguments : operator_facts {
  std::optional<array> nodes, D, at_points;  // at_points: coefficients there
  std::vector<double> coefficients;          // constant ones
  int geometry_order = 1;

  /// Takes its keywords from `k`; others may be taken before and after.
  operator_arguments(keywords& k, nb::handle kind, nb::handle nodes);

  /// The nodes with their coefficients. Throws ValueError where those at points do not fit.
  template <class T>
  fem::element_nodes<T> checked_nodes() const;
  /// Without coefficients, `a` being the nodes.
  template <class T>
  fem::element_nodes<T> nodes_alone(const array& a) const;
  /// D, or, where it was not given, 0, which `zero` has then. Throws ValueError where it does not fit.
  template <class T>
  const T* checked_D(std::vector<T>& zero) const;

 private:
  void take_options(keywords& k, nb::handle kind);
  void take_function(keywords& k);
  void take_nodes(keywords& k, nb::handle given);
  void take_data(keywords& k, nb::handle given);
  void take_coefficients(keywords& k, nb::handle given);
  void check_dim(const keywords& k, int found, const char* from);
};

/// Arrays that a matrix-free operator reads at each application.
struct arrays_read_later {
  std::optional<array> nodes, at_points;
  /// From what the operator was made of; none of one that stores D.
  void take(operator_arguments& from);
};

/// With the functions of x and y exchanged, at the same points, D being given.
fem::element_operator_options transposed_options(const operator_facts& of);

/// D of all elements: throws ValueError unless its shape is (elements, points, factors), or (elements, points).
template <class T>
const T* checked_data(const array& D, const char* name, index_t elements, const evaluation<T>& by);

/// The tables of a dictionary.
fem::dense_element tables_from(nb::handle given, const char* call);

/// body(T*) for the type that an operator has.
template <class Body>
auto with_type(scalar_type type, const Body& body) {
  if (type == scalar_type::f32) return body(static_cast<float*>(nullptr));
  return body(static_cast<double*>(nullptr));
}

/// Of keywords that all operators and points take, for their docstrings.
extern const char* const text_of_options;

}  // namespace tessera::python
