// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.box_faces, numbers_on, gauss and gauss_lobatto.
#include <algorithm>

#include <nanobind/stl/string.h>

#include <tessera/fem/quadrature.hpp>

#include "element_operator.hpp"
#include "keywords.hpp"
#include "restriction_values.hpp"

namespace tessera::python {

namespace {

nb::object copied_array(const std::vector<double>& from) {
  nb::object made = new_numpy_array(scalar_type::f64, {index_t(from.size())});
  const array to(made, "out");
  std::copy(from.begin(), from.end(), static_cast<double*>(to.data()));
  return made;
}

nb::tuple copied_rule(const fem::quadrature_rule& rule) {
  return nb::make_tuple(copied_array(rule.points), copied_array(rule.weights));
}

nb::object faces_of_box(nb::handle cells) {
  const std::vector<fem::boundary_face> faces = fem::box_faces(box_of_cells(cells, "box_faces"));
  nb::object made = new_numpy_array(scalar_type::i64, {index_t(faces.size()), 3});
  const array to(made, "out");
  auto* at = static_cast<std::int64_t*>(to.data());
  for (const fem::boundary_face& f : faces) {
    *at++ = f.element;
    *at++ = f.face;
    *at++ = f.tag;
  }
  return made;
}

nb::object numbers_on_faces(const restriction& numbers, nb::handle faces, int dim, const nb::kwargs& given) {
  keywords k("numbers_on", given);
  const fem::function_space space{k.one_of("basis", names_of_bases, fem::basis_kind::gauss_lobatto),
                                  k.integer("order", 1)};
  const fem::element_shape shape = k.one_of("shape", names_of_shapes, fem::element_shape::cube);
  const int component = k.integer("component", -1);
  k.refuse_rest();
  const std::vector<index_t> found =
      fem::numbers_on(numbers, faces_from(faces, "numbers_on"), dim, space, shape, component);
  nb::object made = new_numpy_array(scalar_type::i64, {index_t(found.size())});
  const array to(made, "out");
  std::copy(found.begin(), found.end(), static_cast<std::int64_t*>(to.data()));
  return made;
}

}  // namespace

box_spec box_of_cells(nb::handle cells, const char* call) {
  if (nb::cast<int>(nb::module_::import_("numpy").attr("ndim")(cells)) != 1)
    refuse_object(std::string(call) + ": cells is " + shown(cells) +
                  ", not a list of 1 to 3 positive integers, such as [4] for a segment or [4, 3] for a square");
  const std::vector<index_t> given = integers_of(cells, "cells");
  if (given.empty() || given.size() > 3)
    refuse_value(std::string(call) + ": cells has " + std::to_string(given.size()) + " numbers, not 1, 2 or 3");
  for (const index_t number : given)
    if (number < 1)
      refuse_value(std::string(call) + ": cells is " + extents_text(given) + ", not 1 to 3 positive numbers");
  box_spec box{.dim = int(given.size())};
  std::copy(given.begin(), given.end(), box.cells);
  return box;
}

std::vector<fem::boundary_face> faces_from(nb::handle given, const char* call) {
  const nb::object kept = integer_array(given, "faces");
  const array a(kept, "faces");
  if (a.rank() != 2 || (a.extent(1) != 2 && a.extent(1) != 3))
    refuse_value(std::string(call) + ": faces has the shape " + extents_text(a) +
                 ", not (faces, 3) or (faces, 2): element, face, tag");
  const auto* at = static_cast<const std::int64_t*>(a.data());
  const auto small = [&](std::int64_t number) {
    if (number != int(number)) refuse_value(std::string(call) + ": a face or tag is " + std::to_string(number));
    return int(number);
  };
  std::vector<fem::boundary_face> faces;
  for (index_t i = 0; i < a.extent(0); ++i, at += a.extent(1))
    faces.push_back({at[0], small(at[1]), a.extent(1) == 3 ? small(at[2]) : 0});
  return faces;
}

void add_boundary(nb::module_& m) {
  m.def("box_faces", &faces_of_box, nb::arg("cells"),
        nb::sig("def box_faces(cells: ArrayLike) -> NDArray[numpy.int64]"), R"(Faces on the boundary of a box of cells.

Returns
-------
integer array (faces, 3)
    Element, face of the element, and tag: the side of the box. Faces of squares and cubes and sides are numbered alike:
    2 a where coordinate a is least, 2 a + 1 where it is greatest.

Examples
--------
>>> import tessera_fem as tf
>>> tf.box_faces([3])
array([[0, 0, 0],
       [2, 1, 1]])
)");
  m.def("numbers_on", &numbers_on_faces, nb::arg("restriction"), nb::arg("faces"), nb::arg("dim"), nb::arg("given"),
        nb::sig("def numbers_on(restriction: Restriction, faces: ArrayLike, dim: int, *, order: int = 1, "
                "basis: Basis = 'gauss_lobatto', shape: Shape = 'cube', component: int = -1) -> NDArray[numpy.int64]"),
        R"(The numbers of a vector of unknowns whose functions are not 0 on faces.

Parameters
----------
restriction : Restriction
faces : integer array (faces, 2) or (faces, 3)
    Element, face, and a tag, which is ignored. Face i of a simplex is opposite to corner i.
dim, order, basis, shape
    Of the elements and their functions.
component : int
    -1: all.

Examples
--------
>>> import tessera_fem as tf
>>> tf.numbers_on(tf.Restriction.box([3], order=2), tf.box_faces([3]), 1, order=2)
array([0, 6])
)");
  m.def(
      "gauss", [](int points) { return copied_rule(fem::gauss(points)); }, nb::arg("points"),
      nb::sig("def gauss(points: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
      "Ascending Gauss-Legendre points on [0, 1] and their weights, two arrays.");
  m.def(
      "gauss_lobatto", [](int points) { return copied_rule(fem::gauss_lobatto(points)); }, nb::arg("points"),
      nb::sig("def gauss_lobatto(points: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
      R"(Ascending Gauss-Lobatto points on [0, 1] and their weights, two arrays.

Examples
--------
>>> import tessera_fem as tf
>>> tf.gauss_lobatto(3)[0]
array([0. , 0.5, 1. ])
)");
}

}  // namespace tessera::python
