// SPDX-License-Identifier: BSD-3-Clause
// points_object: fem::element_points of either type as Python has it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>

#include <tessera/fem/points.hpp>

#include "element_operator.hpp"

namespace tessera::python {

class points_object {
 public:
  points_object(nb::handle nodes, const nb::kwargs& given);

  nb::object coordinates() const;
  nb::object jacobians(bool inverse) const;
  nb::object weights() const;
  nb::object normals() const;
  nb::object evaluate(nb::handle f) const;
  nb::object values(nb::handle u, nb::handle unknowns) const;
  nb::object gradients(nb::handle u, nb::handle unknowns, bool in_space) const;
  nb::object load(nb::handle f, nb::handle unknowns, nb::handle out, bool add, bool of_gradients) const;
  double integral(nb::handle f) const;
  /// The norm of u - exact in L2, or of its gradient. `exact` may be None.
  double norm(nb::handle u, nb::handle exact, nb::handle unknowns, bool of_gradients) const;

  template <class Body>
  auto with(const Body& body) const {
    if (const auto* const at = std::get_if<fem::element_points<float>>(&at_))
      return body(*at, static_cast<float*>(nullptr));
    return body(std::get<fem::element_points<double>>(at_), static_cast<double*>(nullptr));
  }
  index_t count() const;
  index_t points() const;
  int dim() const { return dim_; }
  int components() const { return components_; }
  scalar_type type() const { return type_; }
  std::string describe() const;

 private:
  /// (count, points) and those of the numbers of a point, without a single component.
  std::vector<index_t> extents(bool component, bool direction) const;
  /// What was given for all points, as a contiguous array: a number, an array, or a function of the coordinates.
  nb::object numbers_at_points(nb::handle f, const std::vector<index_t>& extents, const char* name) const;
  template <class T>
  fem::fe_vector<const T> vector_of(const array& u, nb::handle unknowns) const;

  std::optional<array> nodes_;  // read at each call
  std::variant<std::monostate, fem::element_points<float>, fem::element_points<double>> at_;
  int dim_ = 0, components_ = 1;
  scalar_type type_ = scalar_type::f64;
  e_vector_shape u_;
};

}  // namespace tessera::python
