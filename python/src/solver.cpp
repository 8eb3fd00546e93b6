// SPDX-License-Identifier: BSD-3-Clause
// tessera_fem.conjugate_gradient.
#include <chrono>
#include <limits>
#include <memory>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>

#include "global_operator.hpp"
#include "new_array.hpp"
#include "operator_classes.hpp"
#include "python_operator.hpp"
#include "thread_limit.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_solver = R"(Solves A x = b by conjugate gradients, A symmetric and positive definite.

Parameters
----------
A : GlobalOperator, or matrix or operator of SciPy
    Of one with `matvec` or `@` products are computed by Python, in host memory.
b : array
    Contiguous, of A's type, with as many entries as A has rows, in any shape.
x : array, optional
    The first guess, which becomes the solution. Without it the first guess is 0, and x a new array of the
    shape of b.
tolerance, absolute : float
    It ends where the norm of the residual is at most the larger of `tolerance` times that of b, and `absolute`.
max_iterations : int
    The limit.
preconditioner : str or function
    "jacobi", "chebyshev", "none", or a function of the residual (or an object with `matvec` or `@`) that gives an array
    like it, in host memory.
norm : str
    "euclidean": sqrt(r.r); "preconditioned": sqrt(r.Mr), relative to the first one.
flexible : bool
    For preconditioners that differ from iteration to iteration.
callback : function, optional
    Called with the number of each iteration and the norm of its residual.
stream : int or stream, optional
    Of a GPU: in which b is ready. x is ready on return.

Returns
-------
x : array
result : SolveResult
    Whether it converged, in how many iterations, and the residuals on the way.

Examples
--------
>>> import numpy as np, tessera_fem as tf
>>> x, result = tf.conjugate_gradient(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 3.0]))
>>> x.round(12), result.converged, result.iterations
(array([1., 1.]), True, 1)
)";

constexpr std::pair<const char*, residual_norm> norms[] = {{"euclidean", residual_norm::euclidean},
                                                           {"preconditioned", residual_norm::preconditioned}};

// Callbacks, and the keys that stop a program, which Python handles when it has the lock.
std::function<void(int, double)> progress_of(nb::handle callback) {
  const auto function = std::make_shared<nb::object>(callback.is_valid() ? nb::borrow(callback) : nb::object());
  using clock = std::chrono::steady_clock;
  return [function, last = clock::now()](int iteration, double residual) mutable {
    const bool calls = function->is_valid();
    if (!calls && clock::now() - last < std::chrono::milliseconds(100)) return;
    last = clock::now();
    with_lock([&] {
      if (calls) (*function)(iteration, residual);
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    });
  };
}

template <class T>
linear_operator<T> jacobi_of(nb::handle A, const linear_operator<T>& of, const global_operator_object* own) {
  if (own != nullptr) {
    const auto& op = own->with([]<class U>(const fem::global_operator<U>& g, U*) -> const void* { return &g; });
    const without_lock released;
    return jacobi(*static_cast<const fem::global_operator<T>*>(op));
  }
  if (!nb::hasattr(A, "diagonal"))
    refuse_value("conjugate_gradient: preconditioner \"jacobi\" needs A.diagonal(), which " + shown(A) + " has not");
  constexpr scalar_type type = sizeof(T) == 4 ? scalar_type::f32 : scalar_type::f64;
  const nb::object diagonal = as_numpy(A.attr("diagonal")(), dtype_name(type), "A.diagonal()");
  const array numbers(diagonal, "A.diagonal()");
  return jacobi<T>(of.size(),
                   static_cast<const T*>(entries_of(numbers, "A.diagonal()", type, of.size(), space_kind::cpu, false)));
}

template <class T>
linear_operator<T> preconditioner_of(nb::handle given, nb::handle A, const linear_operator<T>& of,
                                     const global_operator_object* own) {
  if (given.is_valid() && !PyUnicode_Check(given.ptr())) {
    if (of.space() == space_kind::gpu)
      refuse_value("conjugate_gradient: a preconditioner in Python is for host memory, and A is on the gpu");
    return python_operator<T>(given, of.size(), "preconditioner");
  }
  const std::string name = given.is_valid() ? text_from(given, "conjugate_gradient: preconditioner") : "jacobi";
  if (name == "none") return {};
  if (name == "jacobi") return jacobi_of<T>(A, of, own);
  if (name != "chebyshev")
    refuse_value("conjugate_gradient: there is no preconditioner \"" + name + "\"; there are: jacobi, chebyshev, none");
  const linear_operator<T> D = jacobi_of<T>(A, of, own);
  const without_lock released;
  return chebyshev<T>(of, D);
}

double number_from(keywords& k, const char* name, double otherwise) {
  const nb::handle given = k.take(name);
  if (!given.is_valid()) return otherwise;
  double number = 0;
  if (!nb::try_cast(given, number))
    refuse_object(std::string("conjugate_gradient: ") + name + " is " + shown(given) + ", not a number");
  return number;
}

index_t size_of(nb::handle A, const global_operator_object* own) {
  if (own != nullptr) return own->size();
  if (!nb::hasattr(A, "shape")) refuse_object("conjugate_gradient: A is " + shown(A) + ", which has no shape");
  const auto shape = nb::cast<std::vector<index_t>>(A.attr("shape"));
  if (shape.size() != 2 || shape[0] != shape[1])
    refuse_value("conjugate_gradient: A has the shape " + extents_text(shape) + ", not that of a square matrix");
  return shape[0];
}

nb::tuple solve(nb::handle A, nb::handle b, nb::handle x, const nb::kwargs& given) {
  const global_operator_object* const own = nb::isinstance<global_operator_object>(A)
                                                ? initialised<global_operator_object>(A, "conjugate_gradient: A")
                                                : nullptr;
  keywords k("conjugate_gradient", given);
  conjugate_gradient_options options{.relative = number_from(k, "tolerance", 1e-8),
                                     .absolute = number_from(k, "absolute", 0),
                                     .norm = k.one_of("norm", norms, residual_norm::euclidean),
                                     .max_iterations = k.integer("max_iterations", 1000),
                                     .flexible = k.flag("flexible", false)};
  const nb::handle callback = k.take("callback");
  if (callback.is_valid() && PyCallable_Check(callback.ptr()) == 0)
    refuse_object("conjugate_gradient: callback is " + shown(callback) + ", not a function");
  options.progress = progress_of(callback);
  const nb::handle preconditioner = k.take("preconditioner"), stream = k.take("stream");
  k.refuse_rest();
  const index_t size = size_of(A, own);
  const space_kind space = own != nullptr ? own->space() : space_kind::cpu;
  const call_stream on = stream_of_call(space, stream, b);
  const array right(b, "b", on);
  const scalar_type type = own != nullptr ? own->facts().type : right.type();
  if (type != scalar_type::f32 && type != scalar_type::f64)
    refuse_object(std::string("conjugate_gradient: b has entries of ") + dtype_name(type) + ", not float32 or float64");
  if (own != nullptr) check_device(right, "b", own->facts().gpu, "A");
  const void* const b_at = entries_of(right, "b", type, size, space, false);
  index_t extents[max_rank];
  for (int d = 0; d < right.rank(); ++d) extents[d] = right.extent(d);
  const nb::object result = x.is_none() ? new_array_like(b, type, extents, right.rank()) : nb::borrow(x);
  const array solution(result, "x", on);
  void* const x_at = entries_of(solution, "x", type, size, space, true);
  const stream_view in = view_of(on);
  solve_result end = with_type(type, [&]<class T>(T*) {
    linear_operator<T> of;
    if (own != nullptr)
      of = own->with([]<class U>(const fem::global_operator<U>& g, U*) {
        if constexpr (std::is_same_v<T, U>)
          return linear_operator<T>(g);
        else
          return linear_operator<T>();
      });
    else
      of = python_operator<T>(A, size, "A");
    conjugate_gradient<T> solver(of, preconditioner_of<T>(preconditioner, A, of, own), options);
    const without_lock released;
    const auto* const from = static_cast<const T*>(b_at);
    return x.is_none() ? solver.solve_from_zero(from, static_cast<T*>(x_at), in)
                       : solver.solve(from, static_cast<T*>(x_at), in);
  });
  return nb::make_tuple(result, nb::cast(std::move(end)));
}

const char* outcome_name(solve_outcome outcome) {
  switch (outcome) {
    case solve_outcome::converged: return "converged";
    case solve_outcome::zero_right_hand_side: return "zero_right_hand_side";
    case solve_outcome::iteration_limit: return "iteration_limit";
    case solve_outcome::indefinite_operator: return "indefinite_operator";
    case solve_outcome::indefinite_preconditioner: return "indefinite_preconditioner";
    case solve_outcome::not_a_number: return "not_a_number";
  }
  return "unknown";
}

}  // namespace

void add_solver(nb::module_& m) {
  nb::class_<solve_result>(m, "SolveResult", "What conjugate_gradient reports.")
      .def_prop_ro("converged", &solve_result::solved, "Whether x is the solution, to the tolerance.")
      .def_ro("iterations", &solve_result::iterations,
              "The one in which it ended, counted from 1; 0: before the first.")
      .def_prop_ro(
          "residual",
          [](const solve_result& r) {
            return r.residuals.empty() ? std::numeric_limits<double>::quiet_NaN() : r.residuals.back();
          },
          "The norm of the last residual.")
      .def_ro("residuals", &solve_result::residuals, "[0] at the start, [k] after iteration k.")
      .def_ro("limit", &solve_result::limit, "The norm from which on it is converged.")
      .def_prop_ro(
          "outcome", [](const solve_result& r) { return outcome_name(r.outcome); }, nb::sig("def outcome(self) -> str"),
          "\"converged\", \"zero_right_hand_side\", \"iteration_limit\", \"indefinite_operator\", "
          "\"indefinite_preconditioner\" or \"not_a_number\".")
      .def_prop_ro(
          "eigenvalues",
          [](const solve_result& r) {
            const eigenvalue_range range = estimated_eigenvalues(r);
            return nb::make_tuple(range.smallest, range.largest);
          },
          nb::sig("def eigenvalues(self) -> tuple[float, float]"),
          "The smallest and the largest one of the preconditioned operator that the iterations have seen.")
      .def("describe", &solve_result::describe, "A line for a log.")
      .def("__repr__", [](const solve_result& r) { return "<tessera_fem.SolveResult " + r.describe() + ">"; });
  m.def("conjugate_gradient", &solve, nb::arg("A"), nb::arg("b"), nb::arg("x").none() = nb::none(), nb::arg("given"),
        nb::sig("def conjugate_gradient(A: Matrix, b: Array, x: Array | None = None, *, tolerance: float = 1e-08, "
                "absolute: float = 0.0, max_iterations: int = 1000, "
                "preconditioner: Literal['jacobi', 'chebyshev', 'none'] | LinearMap = 'jacobi', "
                "norm: Literal['euclidean', 'preconditioned'] = 'euclidean', flexible: bool = False, "
                "callback: Callable[[int, float], object] | None = None, stream: Stream | None = None) "
                "-> tuple[Array, SolveResult]"),
        text_of_solver);
}

}  // namespace tessera::python
