// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.ElementOperator.
#include <nanobind/stl/string.h>

#include "element_operator.hpp"
#include "kept_objects.hpp"
#include "operator_classes.hpp"
#include "parts.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_element_operator =
    R"(y = A x, A = B^T D B of every element, on vectors with the values of every element.

Parameters
----------
kind : str
    "mass" by default, "diffusion", "helmholtz", "convection", "elasticity" or "advection_diffusion".
nodes : array (elements, dim, nodes), optional
    Coordinates of the nodes of the elements: of the Gauss-Lobatto points of the unit segment, square or cube, mapped to
    the element, first direction fastest. The nodes may have dim indices, the first direction last. Arrays are not
    copied, so `matrix_free` reads later what they have then. The type, float64 or float32, is that of the operator.
%s
form : str
    "stored": D is computed once; "matrix_free": at each application, from the nodes.
storage : str
    "same", or "float": D in single precision.
target : str, optional
    An instruction set, "reference" or "cuda"; "cuda" where it is not given and nodes or D are on a GPU.
coefficients : float, list or array, optional
    mass: rho; diffusion: kappa or the symmetric matrix 00 01 11, or 00 01 02 11 12 22; helmholtz: rho, kappa or matrix;
    convection: the velocity; elasticity: lambda, mu; advection_diffusion: kappa or matrix, velocity. A list holds for
    all points; an array (elements, points, numbers) or (elements, points) has those of each. All 1 by default.
D : array (elements, points, factors), optional
    Instead of nodes: what is at the points; it is copied.
dim : int, optional
    Directions of an element, 1, 2 or 3. Needed without nodes; with nodes, those of them.
elements, dtype : int, str or dtype of numpy, optional
    Instead of nodes and D: how many, and of which type; D is 0 until `set_data`. With nodes or D, those of them.
function : PointFunction, optional
    Instead of `kind`, which is not given then: a function of your own, with its D.

Examples
--------
The mass matrix of two segments of lengths 1 and 2, with linear functions:

>>> import numpy as np, tessera_fem as tf
>>> nodes = np.array([[[0.0, 1.0]], [[1.0, 3.0]]])
>>> op = tf.ElementOperator("mass", nodes, order=1)
>>> (op.matrices() * 6).round(12)
array([[[2., 1.],
        [1., 2.]],
<BLANKLINE>
       [[4., 2.],
        [2., 4.]]])
>>> op(np.ones((2, 2)))
array([[0.5, 0.5],
       [1. , 1. ]])
)";

constexpr const char* text_of_call = R"(y = A x.

Parameters
----------
x : array
    (elements, entries), (elements, components, entries), or with dim indices for the entries, the first direction last:
    (elements, components, d3, d2, d1); or one vector of all. Any strides, one leading from entry to entry.
out : array, optional
    Like x. A new array of x's library where it is not given.
elements : slice or list of int, optional
    Those that are computed; the rest of `out`, which is needed, stays as it is. Of a GPU a list is there, of int64.
stream : int or stream, optional
    Of a GPU: in which it is queued; the current one of x's library where it is not given.

Returns
-------
array
    `out`, or the new one.
)";

constexpr const char* signature_of_spaces =
    "order: int = 1, points: int = 0, basis: Basis = 'gauss_lobatto', test_order: int | None = None, "
    "test_basis: Basis | None = None, components: int | None = None, rule: Rule = 'gauss', "
    "geometry_order: int | None = None, shape: Shape = 'cube', tables: dict[str, Any] | None = None";

// Docstrings and signatures stay as long as the module.
const char* with_options(const char* text, const std::string& place, const char* options) {
  auto& whole = *new std::string(text);
  if (const std::size_t at = whole.find(place); at != std::string::npos) whole.replace(at, place.size(), options);
  return whole.c_str();
}

}  // namespace

const char* text_with_options(const char* text) {
  return with_options(text, "%s\n", text_of_options + 1);  // without its first line break
}
nb::sig signature_with_options(const char* signature) { return {with_options(signature, "%s", signature_of_spaces)}; }

void add_element_operator_class(nb::module_& m) {
  using object = element_operator_object;
  const auto none = [] { return nb::none(); };
  nb::class_<object>(m, "ElementOperator", text_with_options(text_of_element_operator),
                     nb::type_slots(slots_of_kept<object>))
      .def(
          "__init__",
          [](object* self, nb::handle kind, nb::handle nodes, const nb::kwargs& given) {
            new (self) object(kind, nodes, given);
          },
          nb::arg("kind").none() = none(), nb::arg("nodes").none() = none(), nb::arg("given"),
          signature_with_options(
              "def __init__(self, kind: Kind | None = None, nodes: Array | None = None, *, %s, form: Form = 'stored', "
              "storage: Storage = 'same', target: str | None = None, coefficients: ArrayLike | Array | None = None, "
              "D: Array | None = None, dim: int | None = None, elements: int | None = None, "
              "dtype: DTypeLike | None = None, function: PointFunction | None = None) -> None"))
      .def("__call__", &object::apply, nb::arg("x"), nb::arg("out").none() = none(), nb::kw_only(),
           nb::arg("elements").none() = none(), nb::arg("stream").none() = none(),
           nb::sig("def __call__(self, x: Array, out: Array | None = None, *, "
                   "elements: slice | ArrayLike | Array | None = None, stream: Stream | None = None) -> Array"),
           text_of_call)
      .def("add", &object::add, nb::arg("x"), nb::arg("y"), nb::kw_only(), nb::arg("elements").none() = none(),
           nb::arg("stream").none() = none(),
           nb::sig("def add(self, x: Array, y: _ArrayT, *, elements: slice | ArrayLike | Array | None = None, "
                   "stream: Stream | None = None) -> _ArrayT"),
           "y += A x; returns y. `elements` and `stream` as of a call.")
      .def("matvec", &object::matvec, nb::arg("x"), nb::sig("def matvec(self, x: ArrayLike | Array) -> Array"),
           "A x of one vector of all entries, converted where it is not a contiguous one of the operator's type.")
      .def("__matmul__", &object::matvec, nb::arg("x"), nb::sig("def __matmul__(self, x: ArrayLike | Array) -> Array"),
           "matvec")
      .def(
          "rmatvec", [](const object& op, nb::handle x) { return op.transpose().matvec(x); }, nb::arg("x"),
          nb::sig("def rmatvec(self, x: ArrayLike | Array) -> Array"), "A^T x, by `transpose`.")
      .def("diagonal", &object::diagonal, nb::arg("out").none() = none(),
           nb::sig("def diagonal(self, out: Array | None = None) -> Array"),
           "The diagonals of the matrices, an array like y.")
      .def("matrices", &object::matrices, nb::arg("first") = 0, nb::arg("count").none() = none(),
           nb::arg("how") = "full",
           nb::sig("def matrices(self, first: int = 0, count: int | None = None, "
                   "how: Literal['full', 'lower'] = 'full') -> Any"),
           "The matrices of `count` elements from `first` on: (count, rows, columns), component by component; or, "
           "how=\"lower\", the lower triangles of symmetric ones by columns: (count, n (n + 1) / 2).")
      .def("data", &object::data, nb::arg("first") = 0, nb::arg("count").none() = none(),
           nb::sig("def data(self, first: int = 0, count: int | None = None) -> NDArray[Any]"),
           "D of elements: a numpy array (count, points, factors).")
      .def("set_data", &object::set_data, nb::arg("D"), nb::arg("first") = 0,
           nb::sig("def set_data(self, D: Array, first: int = 0) -> None"),
           "Another D of the elements from `first` on, (count, points, factors).")
      .def("transpose", &object::transpose,
           "The operator A^T: itself where A is symmetric, else one with D of this one as it is now, which is kept. "
           "ValueError for a function of your own.")
      .def_prop_ro("T", &object::transpose, "transpose()")
      .def("describe", &object::describe, nb::arg("brief") = false,
           "Sizes, kernel, the source of its tuning, and how D is stored.")
      .def_prop_ro(
          "dim", [](const object& op) { return op.facts().dim; }, "Directions of an element.")
      .def_prop_ro(
          "elements", [](const object& op) { return op.facts().elements; }, "Their number.")
      .def_prop_ro(
          "components", [](const object& op) { return op.shape_in().components; }, "Of x.")
      .def_prop_ro(
          "test_components", [](const object& op) { return op.shape_out().components; }, "Of y.")
      .def_prop_ro(
          "trial_size", [](const object& op) { return op.shape_in().entries; },
          "Entries of a component of an element of x.")
      .def_prop_ro(
          "test_size", [](const object& op) { return op.shape_out().entries; }, "The same of y.")
      .def_prop_ro("points", &object::points, "Points of an element.")
      .def_prop_ro("factors", &object::factors, "Numbers of D at a point.")
      .def_prop_ro(
          "shape_in", [](const object& op) { return tuple_of(op.shape_in().extents()); },
          nb::sig("def shape_in(self) -> tuple[int, ...]"),
          "(elements, entries) or (elements, components, entries) of x.")
      .def_prop_ro(
          "shape_out", [](const object& op) { return tuple_of(op.shape_out().extents()); },
          nb::sig("def shape_out(self) -> tuple[int, ...]"), "The same of y.")
      .def_prop_ro(
          "shape", [](const object& op) { return nb::make_tuple(op.shape_out().size(), op.shape_in().size()); },
          nb::sig("def shape(self) -> tuple[int, int]"),
          "(rows, columns) of the matrix of all elements, as SciPy asks for it.")
      .def_prop_ro(
          "dtype", [](const object& op) { return dtype_object(op.facts().type); },
          nb::sig("def dtype(self) -> numpy.dtype[Any]"), "numpy.dtype of x and y.")
      .def_prop_ro("is_symmetric", &object::is_symmetric, "Whether its matrices are known to be symmetric.")
      .def("__repr__", [](const object& op) { return "<tessera_fem.ElementOperator " + op.describe(true) + ">"; });
}

void add_element_operators(nb::module_& m) {
  add_point_functions(m);
  add_element_operator_class(m);
  add_restriction_class(m);
  add_global_operator_class(m);
  add_points_class(m);
  add_solver(m);
}

}  // namespace tessera::python
