// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.ElementPoints.
#include <nanobind/stl/string.h>

#include "operator_classes.hpp"
#include "points.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_points = R"(The quadrature points of all elements, or of faces, and functions there.

Numbers at points are arrays (elements, points), with components and directions behind. Everything runs on a CPU, in
host memory; vectors on a GPU are copied. What is given at points is a number, an array, or a function of the
coordinates, which gets an array (dim, elements, points) and gives one for all points; of several components or
directions a list.

Parameters
----------
nodes : array (elements, dim, nodes)
    As of ElementOperator. They are read at each call.
%s
faces : integer array (faces, 2) or (faces, 3), optional
    Element, face, tag: the points are on these faces then.
form, storage, target, coefficients
    Ignored: so an operator's keywords can be given.

Examples
--------
The integral of x^2 over [0, 3], and the error of its interpolant by linear functions:

>>> import numpy as np, tessera_fem as tf
>>> nodes = np.array([[[0.0, 1.0]], [[1.0, 3.0]]])
>>> at = tf.ElementPoints(nodes, order=1)
>>> round(at.integral(lambda x: x[0] ** 2), 12)
9.0
>>> u = nodes[:, 0, :] ** 2
>>> round(at.l2_error(u, lambda x: x[0] ** 2), 6)
1.048809
)";

}  // namespace

void add_points_class(nb::module_& m) {
  using object = points_object;
  const auto none = [] { return nb::none(); };
  nb::class_<object>(m, "ElementPoints", text_with_options(text_of_points))
      .def(
          "__init__", [](object* self, nb::handle nodes, const nb::kwargs& given) { new (self) object(nodes, given); },
          nb::arg("nodes").none(), nb::arg("given"),
          signature_with_options(
              "def __init__(self, nodes: Array, *, %s, faces: ArrayLike | None = None, form: Form = 'stored', "
              "storage: Storage = 'same', target: str | None = None, "
              "coefficients: ArrayLike | Array | None = None) -> None"))
      .def("coordinates", &object::coordinates, nb::sig("def coordinates(self) -> NDArray[Any]"),
           "(elements, points, dim)")
      .def(
          "jacobians", [](const object& at) { return at.jacobians(false); },
          nb::sig("def jacobians(self) -> NDArray[Any]"),
          "J[..., c, a], the derivative of coordinate c in direction a of the reference element.")
      .def(
          "inverse_jacobians", [](const object& at) { return at.jacobians(true); },
          nb::sig("def inverse_jacobians(self) -> NDArray[Any]"), "J^-1[..., a, c]")
      .def("weights", &object::weights, nb::sig("def weights(self) -> NDArray[Any]"),
           "w det J; on faces w dS: (elements, points)")
      .def("normals", &object::normals, nb::sig("def normals(self) -> NDArray[Any]"),
           "On faces: the outward unit normal, (faces, points, dim).")
      .def("evaluate", &object::evaluate, nb::arg("f"), nb::sig("def evaluate(self, f: PointValues) -> NDArray[Any]"),
           "f as an array of numbers at the points.")
      .def("values", &object::values, nb::arg("u"), nb::arg("unknowns").none() = none(),
           nb::sig("def values(self, u: Array, unknowns: Restriction | None = None) -> NDArray[Any]"),
           "Of the function u, a vector of unknowns with its restriction, or the values of every element: (elements, "
           "points) or (elements, points, components).")
      .def(
          "gradients",
          [](const object& at, nb::handle u, nb::handle unknowns) { return at.gradients(u, unknowns, true); },
          nb::arg("u"), nb::arg("unknowns").none() = none(),
          nb::sig("def gradients(self, u: Array, unknowns: Restriction | None = None) -> NDArray[Any]"),
          "Its derivatives in space: (elements, points, dim) or (elements, points, components, dim).")
      .def(
          "reference_gradients",
          [](const object& at, nb::handle u, nb::handle unknowns) { return at.gradients(u, unknowns, false); },
          nb::arg("u"), nb::arg("unknowns").none() = none(),
          nb::sig("def reference_gradients(self, u: Array, unknowns: Restriction | None = None) -> NDArray[Any]"),
          "The same in the directions of the reference element.")
      .def(
          "load",
          [](const object& at, nb::handle f, nb::handle unknowns, nb::handle out, bool add) {
            return at.load(f, unknowns, out, add, false);
          },
          nb::arg("f"), nb::arg("unknowns").none() = none(), nb::kw_only(), nb::arg("out").none() = none(),
          nb::arg("add") = false,
          nb::sig("def load(self, f: PointValues, unknowns: Restriction | None = None, *, out: Array | None = None, "
                  "add: bool = False) -> Array"),
          "b_i, the integral of f phi_i, f like the result of `values`: of the unknowns, or of every element. With "
          "add=True it is added to `out`.")
      .def(
          "gradient_load",
          [](const object& at, nb::handle f, nb::handle unknowns, nb::handle out, bool add) {
            return at.load(f, unknowns, out, add, true);
          },
          nb::arg("f"), nb::arg("unknowns").none() = none(), nb::kw_only(), nb::arg("out").none() = none(),
          nb::arg("add") = false,
          nb::sig("def gradient_load(self, f: PointValues, unknowns: Restriction | None = None, *, "
                  "out: Array | None = None, add: bool = False) -> Array"),
          "The integral of f . grad phi_i, f like the result of `gradients`.")
      .def("integral", &object::integral, nb::arg("f"), nb::sig("def integral(self, f: PointValues) -> float"),
           "Of f, over all elements or faces.")
      .def(
          "l2_norm",
          [](const object& at, nb::handle u, nb::handle unknowns) { return at.norm(u, nb::none(), unknowns, false); },
          nb::arg("u"), nb::arg("unknowns").none() = none(),
          nb::sig("def l2_norm(self, u: Array, unknowns: Restriction | None = None) -> float"),
          "The square root of the integral of |u|^2.")
      .def(
          "l2_error",
          [](const object& at, nb::handle u, nb::handle exact, nb::handle unknowns) {
            return at.norm(u, exact, unknowns, false);
          },
          nb::arg("u"), nb::arg("exact"), nb::arg("unknowns").none() = none(),
          nb::sig("def l2_error(self, u: Array, exact: PointValues, unknowns: Restriction | None = None) -> float"),
          "That of u - exact, `exact` like the result of `values`.")
      .def(
          "h1_seminorm",
          [](const object& at, nb::handle u, nb::handle unknowns) { return at.norm(u, nb::none(), unknowns, true); },
          nb::arg("u"), nb::arg("unknowns").none() = none(),
          nb::sig("def h1_seminorm(self, u: Array, unknowns: Restriction | None = None) -> float"),
          "The square root of the integral of |grad u|^2.")
      .def(
          "h1_error",
          [](const object& at, nb::handle u, nb::handle exact, nb::handle unknowns) {
            return at.norm(u, exact, unknowns, true);
          },
          nb::arg("u"), nb::arg("exact"), nb::arg("unknowns").none() = none(),
          nb::sig("def h1_error(self, u: Array, exact: PointValues, unknowns: Restriction | None = None) -> float"),
          "That of u less a function with the gradient `exact`, like the result of `gradients`.")
      .def_prop_ro("count", &object::count, "Elements or faces that have points.")
      .def_prop_ro("points", &object::points, "Of each of them.")
      .def_prop_ro("dim", &object::dim, "Directions of an element.")
      .def_prop_ro("components", &object::components, "Of functions.")
      .def_prop_ro(
          "dtype", [](const object& at) { return dtype_object(at.type()); },
          nb::sig("def dtype(self) -> numpy.dtype[Any]"), "numpy.dtype of all numbers.")
      .def("describe", &object::describe, "Numbers of points and functions, as text.")
      .def("__repr__", [](const object& at) { return "<tessera_fem.ElementPoints " + at.describe() + ">"; });
}

}  // namespace tessera::python
