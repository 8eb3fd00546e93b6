// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.GlobalOperator.
#include <nanobind/stl/string.h>

#include "global_operator.hpp"
#include "kept_objects.hpp"
#include "operator_classes.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_global_operator =
    R"(y = A x on vectors of unknowns: gather, operator of the elements and scatter in one pass.

A constrained number of x counts as 0, and y has x there. Results are the same bits for any number of threads.
SciPy's solvers take it as it is; `scipy.sparse.linalg.aslinearoperator` makes a LinearOperator of it.

Parameters
----------
kind, nodes
    As of ElementOperator.
unknowns : Restriction
    Which number of x each entry of an element is.
test_unknowns : Restriction, optional
    The same of y. Then y is 0 at constrained numbers.
%s
form, storage, target, coefficients, D, dim, elements, dtype, function
    As of ElementOperator.
patch_elements, in_given_order, atomic_sums : int, bool, bool
    How elements are cut into patches; 0: by rule. As they are given, or neighbours side by side. On a GPU, sums by
    atomic additions, whose rounding differs from run to run.

Examples
--------
-u'' = 1 on [0, 1] with u = 0 at both ends, by two quadratic elements:

>>> import numpy as np, tessera_fem as tf
>>> nodes = np.array([[[0.0, 0.5]], [[0.5, 1.0]]])
>>> unknowns = tf.Restriction([[0, 1, 2], [2, 3, 4]], constrained=[0, 4])
>>> A = tf.GlobalOperator("diffusion", nodes, unknowns, order=2)
>>> b = tf.ElementPoints(nodes, order=2).load(1.0, unknowns)
>>> b[unknowns.constrained] = 0
>>> u, result = tf.conjugate_gradient(A, b)
>>> u.round(6)
array([0.     , 0.09375, 0.125  , 0.09375, 0.     ])
)";

}  // namespace

void add_global_operator_class(nb::module_& m) {
  using object = global_operator_object;
  const auto none = [] { return nb::none(); };
  nb::class_<object>(m, "GlobalOperator", text_with_options(text_of_global_operator),
                     nb::type_slots(slots_of_kept<object>))
      .def(
          "__init__",
          [](object* self, nb::handle kind, nb::handle nodes, nb::handle unknowns, const nb::kwargs& given) {
            if (!nb::isinstance<restriction>(unknowns))
              refuse_object("GlobalOperator: unknowns is " + shown(unknowns) + ", not a Restriction");
            new (self) object(kind, nodes, *initialised<restriction>(unknowns, "GlobalOperator: unknowns"), given);
          },
          nb::arg("kind").none() = none(), nb::arg("nodes").none() = none(), nb::arg("unknowns").none() = none(),
          nb::arg("given"),
          signature_with_options(
              "def __init__(self, kind: Kind | None = None, nodes: Array | None = None, unknowns: Restriction = ..., "
              "*, "
              "test_unknowns: Restriction | None = None, %s, form: Form = 'stored', storage: Storage = 'same', "
              "target: str | None = None, coefficients: ArrayLike | Array | None = None, D: Array | None = None, "
              "dim: int | None = None, elements: int | None = None, "
              "dtype: DTypeLike | None = None, function: PointFunction | None = None, "
              "patch_elements: int = 0, in_given_order: bool = False, atomic_sums: bool = False) -> None"))
      .def("__call__", &object::apply, nb::arg("x"), nb::arg("out").none() = none(), nb::kw_only(),
           nb::arg("stream").none() = none(),
           nb::sig("def __call__(self, x: Array, out: Array | None = None, *, stream: Stream | None = None) -> Array"),
           "y = A x of contiguous vectors of the operator's type, into `out` or a new array of x's library and shape. "
           "`stream`: of a GPU, in which it is queued.")
      .def("add", &object::add, nb::arg("x"), nb::arg("y"), nb::kw_only(), nb::arg("stream").none() = none(),
           nb::sig("def add(self, x: Array, y: _ArrayT, *, stream: Stream | None = None) -> _ArrayT"),
           "y += A x; returns y.")
      .def("matvec", &object::matvec, nb::arg("x"), nb::sig("def matvec(self, x: ArrayLike | Array) -> Array"),
           "A x of a vector, converted where it is not a contiguous one of the operator's type.")
      .def("__matmul__", &object::matvec, nb::arg("x"), nb::sig("def __matmul__(self, x: ArrayLike | Array) -> Array"),
           "matvec")
      .def(
          "rmatvec", [](const object& A, nb::handle x) { return A.transpose().matvec(x); }, nb::arg("x"),
          nb::sig("def rmatvec(self, x: ArrayLike | Array) -> Array"), "A^T x, by `transpose`.")
      .def("diagonal", &object::diagonal, nb::arg("out").none() = none(),
           nb::sig("def diagonal(self, out: Array | None = None) -> Array"),
           "The diagonal: 1 at constrained numbers. Of operators with one restriction.")
      .def("eliminate", &object::eliminate, nb::arg("b"), nb::sig("def eliminate(self, b: Array) -> None"),
           "For given values: b has them at constrained numbers, and the load elsewhere, from which A of the values is "
           "subtracted. Then the solution of A x = b has these values. In place.")
      .def("data", &object::data, nb::sig("def data(self) -> NDArray[Any]"),
           "D of all elements: a numpy array (elements, points, factors).")
      .def("set_data", &object::set_data, nb::arg("D"), nb::sig("def set_data(self, D: Array) -> None"),
           "Another D, (elements, points, factors).")
      .def("transpose", &object::transpose,
           "The operator A^T: itself where A is symmetric, else one with D of this one as it is now, which is kept. "
           "ValueError for a function of your own.")
      .def_prop_ro("T", &object::transpose, "transpose()")
      .def("describe", &object::describe, nb::arg("brief") = false,
           "Sizes, kernel, the source of its tuning, how D is stored, and the patches.")
      .def_prop_ro(
          "shape", [](const object& A) { return nb::make_tuple(A.size(), A.trial_size()); },
          nb::sig("def shape(self) -> tuple[int, int]"), "(numbers of y, numbers of x)")
      .def_prop_ro(
          "dtype", [](const object& A) { return dtype_object(A.facts().type); },
          nb::sig("def dtype(self) -> numpy.dtype[Any]"), "numpy.dtype of x and y.")
      .def_prop_ro(
          "unknowns", [](const object& A) { return A.trial(); }, "The restriction of x.")
      .def_prop_ro(
          "test_unknowns", [](const object& A) { return A.test(); }, "That of y.")
      .def_prop_ro("is_symmetric", &object::is_symmetric, "Whether A is known to be symmetric.")
      .def("__repr__", [](const object& A) { return "<tessera_fem.GlobalOperator " + A.describe(true) + ">"; });
}

}  // namespace tessera::python
