// SPDX-License-Identifier: BSD-3-Clause
// Addresses of compiled functions, and texts for GPUs, as functions of a contraction.
#include "own_functions.hpp"

#include <utility>

#include <nanobind/stl/string.h>

#include "array.hpp"
#include "compiled_code.hpp"
#include "e_vector.hpp"
#include "kept_objects.hpp"
#include "keywords.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_entry_function =
    R"doc(A function of entries of your own, for functions= of einsum and Plan.

EntryFunction(function=None, *, source=None, dtype="float64", name=None)

Parameters
----------
function : int, numba cfunc or ctypes function pointer, optional
    For a CPU: compiled code of a C function `T f(T x)`, T being the type of the sums: double for float64. It is called
    by several threads at once, without the interpreter's lock.
source : str, optional
    For a GPU: an expression of CUDA C++20 in x, "x / (1 + fabs(x))", or the text of a struct with operator()(x) that
    begins with "struct".
dtype : str or dtype of numpy
    Of the compiled function: "float64", "float32", "int64" or "int32". A function of ctypes or numba whose types are
    known to be others is a TypeError; of an address nothing is known. A contraction whose sums are of another type is
    refused. A source is of any type.
name : str, optional
    For describe() and errors.

Examples
--------
A Python function is slow here, and shows how it goes:

>>> import ctypes, numpy as np, tessera_fem as tf
>>> @ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
... def softsign(x):
...     return x / (1 + abs(x))
>>> soft = tf.EntryFunction(softsign, source="x / (1 + fabs(x))", name="softsign")
>>> tf.einsum("ik,kj->ij", np.ones((2, 3)), np.ones((3, 2)), functions={"result": soft})
array([[0.75, 0.75],
       [0.75, 0.75]])
)doc";

constexpr const char* text_of_operations = R"doc(A pair of operations of your own, for pair= of einsum and Plan.

Operations(multiply=None, add=None, *, neutral, multiply_source=None, add_source=None, dtype="float64", ...)

Parameters
----------
multiply, add : int, numba cfunc or ctypes function pointer, optional
    For a CPU, both: compiled code of C functions `T f(T a, T b)` and `T g(T c, T x)`, of the sum so far and a product.
neutral : number
    What a sum begins with: adding it changes nothing.
multiply_source, add_source : str, optional
    For a GPU, both: expressions of CUDA C++20 in a and b, and in c, the sum so far, and x, a product.
dtype : str or dtype of numpy
    Of the sums: "float64", "float32", "int64", "int32"; of sources alone also "complex128" and "complex64".
commutative : bool
    Of `multiply`. `add` has to be, and associative.
zero_adds_nothing : bool
    Whether adding multiply(0, b) or multiply(a, 0) changes no sum; then edges are read without a test on a GPU.
name : str, optional
    For describe() and errors.

Examples
--------
>>> import ctypes, numpy as np, tessera_fem as tf
>>> two = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
>>> farthest = tf.Operations(two(lambda a, b: abs(a - b)), two(max), neutral=0, multiply_source="fabs(a - b)",
...                          add_source="c < x ? x : c", commutative=True, name="farthest")
>>> tf.einsum("ik,kj->ij", np.array([[1.0, 5.0]]), np.array([[2.0], [9.0]]), pair=farthest)
array([[4.]])
)doc";

template <class T>
struct compiled_unary {
  T (*call)(T);
  T operator()(T x) const { return call(x); }
};
template <class T>
struct compiled_binary {
  T (*call)(T, T);
  T operator()(T a, T b) const { return call(a, b); }
};

template <class T, class... Arguments>
auto code_of(nb::handle function, scalar_type type, const char* call) {
  const std::string name = dtype_name(type);
  const std::uintptr_t at = address_of_code(function, call, {name, std::vector(sizeof...(Arguments), name)});
  if (at == 0) refuse_value(std::string(call) + ": the function's address is 0");
  return reinterpret_cast<T (*)(Arguments...)>(at);  // NOLINT: an address of the caller's
}

// f(T()) for a type of sums.
template <class F>
auto with_real_sum(scalar_type sum, const char* call, F f) {
  if (sum == scalar_type::f32) return f(float());
  if (sum == scalar_type::f64) return f(double());
  if (sum == scalar_type::i32) return f(int());
  if (sum == scalar_type::i64) return f(static_cast<long long>(0));
  refuse_value(std::string(call) + ": compiled code is of float64, float32, int64 or int32, and dtype is " +
               dtype_name(sum));
}

bool is_given(nb::handle value) { return value.is_valid() && !value.is_none(); }

own_entry_function made_entry_function(nb::handle function, const nb::kwargs& given) {
  keywords k("EntryFunction()", given);
  const std::string source = k.text("source", ""), name = k.text("name", "a user's function");
  const scalar_type type = type_of_dtype(k.dtype("dtype", "float64").c_str());
  k.refuse_rest();
  if (!is_given(function)) {
    if (source.empty()) refuse_value("EntryFunction: neither a compiled function for a CPU nor a source for a GPU");
    return {entry_function::own(name, source), std::nullopt, {}};
  }
  return {with_real_sum(type, "EntryFunction",
                        [&](auto zero) {
                          using T = decltype(zero);
                          const auto call = code_of<T, T>(function, type, "EntryFunction");
                          return entry_function::own<T>(name, source, compiled_unary<T>{call});
                        }),
          type,
          {nb::borrow(function)}};
}

template <class T>
T number_from(nb::handle given) {
  T number{};
  if (!nb::try_cast(given, number))
    refuse_object("Operations: neutral=" + nb::cast<std::string>(nb::repr(given)) + " is no number of the dtype");
  return number;
}

template <class T>
operations text_pair(const own_pair& texts, const T& neutral) {
  return operations::own<T>(texts, [neutral](const T&) { return neutral; });
}

template <class T>
operations complex_text_pair(const own_pair& texts, nb::handle given) {
  const Py_complex z = PyComplex_AsCComplex(given.ptr());
  if (PyErr_Occurred() != nullptr) nb::raise_python_error();
  return text_pair<complex<T>>(texts, {T(z.real), T(z.imag)});
}

own_operations made_operations(nb::handle multiply, nb::handle add, const nb::kwargs& given) {
  keywords k("Operations()", given);
  const scalar_type type = type_of_dtype(k.dtype("dtype", "float64").c_str());
  const nb::handle neutral = k.take("neutral");
  const own_pair texts{.name = k.text("name", "a user's pair"),
                       .multiply = k.text("multiply_source", ""),
                       .add = k.text("add_source", ""),
                       .is_commutative = k.flag("commutative", false),
                       .zero_adds_nothing = k.flag("zero_adds_nothing", false)};
  k.refuse_rest();
  const auto check_both = [](bool first, bool second, const char* names) {
    if (first != second) refuse_value(std::string("Operations: one of ") + names + " alone; it takes both or none");
  };
  check_both(is_given(multiply), is_given(add), "multiply and add");
  check_both(texts.multiply.empty(), texts.add.empty(), "multiply_source and add_source");
  if (!is_given(neutral)) refuse_value("Operations: neutral= is missing: what a sum begins with");
  if (!is_given(add)) {
    if (texts.add.empty()) refuse_value("Operations: neither compiled functions for a CPU nor sources for a GPU");
    if (type == scalar_type::c32) return {complex_text_pair<float>(texts, neutral), type, {}};
    if (type == scalar_type::c64) return {complex_text_pair<double>(texts, neutral), type, {}};
  }
  return {with_real_sum(type, "Operations",
                        [&](auto zero) {
                          using T = decltype(zero);
                          const T begin = number_from<T>(neutral);
                          if (!is_given(add)) return text_pair(texts, begin);
                          const compiled_binary<T> by{code_of<T, T, T>(multiply, type, "Operations")},
                              to{code_of<T, T, T>(add, type, "Operations")};
                          return operations::own<T>(texts, by, to, [begin](T) { return begin; });
                        }),
          type,
          {nb::borrow(multiply), nb::borrow(add)}};
}

}  // namespace

const own_entry_function* entry_function_in(nb::handle value) {
  return nb::isinstance<own_entry_function>(value) ? initialised<own_entry_function>(value, "EntryFunction") : nullptr;
}
const own_operations* operations_in(nb::handle value) {
  return nb::isinstance<own_operations>(value) ? initialised<own_operations>(value, "Operations") : nullptr;
}

void check_sums(const std::string& name, const std::optional<scalar_type>& made_for, scalar_type sums) {
  if (made_for && *made_for != sums)
    refuse_value(name + " is for sums in " + dtype_name(*made_for) + " (dtype=), and these are in " + dtype_name(sums));
}

void add_own_functions(nb::module_& m) {
  nb::class_<own_entry_function>(m, "EntryFunction", text_of_entry_function,
                                 nb::type_slots(slots_of_kept<own_entry_function>))
      .def(
          "__init__",
          [](own_entry_function* self, nb::handle function, const nb::kwargs& given) {
            new (self) own_entry_function(made_entry_function(function, given));
          },
          nb::arg("function").none() = nb::none(), nb::arg("given"),
          nb::sig("def __init__(self, function: FunctionAddress | None = None, *, source: str | None = None, "
                  "dtype: DTypeLike = 'float64', name: str | None = None) -> None"))
      .def("__repr__",
           [](const own_entry_function& f) { return "<tessera_fem.EntryFunction " + text_of(f.function) + ">"; });
  nb::class_<own_operations>(m, "Operations", text_of_operations, nb::type_slots(slots_of_kept<own_operations>))
      .def(
          "__init__",
          [](own_operations* self, nb::handle multiply, nb::handle add, const nb::kwargs& given) {
            new (self) own_operations(made_operations(multiply, add, given));
          },
          nb::arg("multiply").none() = nb::none(), nb::arg("add").none() = nb::none(), nb::arg("given"),
          nb::sig("def __init__(self, multiply: FunctionAddress | None = None, "
                  "add: FunctionAddress | None = None, *, neutral: complex, multiply_source: str | None = None, "
                  "add_source: str | None = None, dtype: DTypeLike = 'float64', "
                  "commutative: bool = False, zero_adds_nothing: bool = False, name: str | None = None) -> None"))
      .def("__repr__", [](const own_operations& p) { return "<tessera_fem.Operations " + text_of(p.pair) + ">"; });
}

}  // namespace tessera::python
