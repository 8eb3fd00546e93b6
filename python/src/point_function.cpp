// SPDX-License-Identifier: BSD-3-Clause
// Addresses of numba, ctypes or integers, and source texts, as functions of an operator.
#include "point_function.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include <nanobind/stl/string.h>

#include "compiled_code.hpp"
#include "kept_objects.hpp"
#include "keywords.hpp"

namespace tessera::python {

namespace {

constexpr const char* text_of_point_function =
    R"(A function of your own at the quadrature points, between B and its transpose.

Parameters
----------
function : int, numba cfunc or ctypes function pointer, optional
    For a CPU: compiled code, called by several threads at once, without the interpreter's lock, for blocks of points:

        typedef struct {
          int64_t count;            // points
          const void* value;        // of u:        component c of point n at [n + count * c]
          const void* gradient;     // of u:        its derivative in direction a at [n + count * (a + dim * c)]
          const void* D;            // of points:   number f at [n + count * f]
          void* value_out;          // to test functions, like value: every entry is to be written
          void* gradient_out;       // like gradient
        } block;
        void function(const block* points, void* context);

    Numbers are of the operator's type, float64 or float32, derivatives in the directions of the unit segment, square
    or cube. What the function neither takes nor gives is null. tessera_fem.h names the struct tessera_point_block.
dim : int
    Of the elements: 1, 2 or 3.
takes, gives : str
    "value", "gradient" or "value gradient": of u, and to the test functions.
components, test_components : int
    Of u and of the result. With one of each the function applies to each component of an operator alike.
factors : int
    Numbers that each point has of its own, D.
dtype : str or dtype of numpy, optional
    Of the numbers that the compiled function reads and writes, "float64" or "float32": an operator of another type is
    refused. Without it the function is called with those of any operator, and has to know what they are.
context : int, optional
    The address that the function gets as its second argument.
source, source_type : str, optional
    For a GPU: C++ text that declares the struct `source_type`, as tessera/element/pointwise.hpp describes it. It may
    include that header, <tessera/element/point_field.hpp> and <tessera/core/math.hpp>, and nothing else.
state : bytes, optional
    The bytes of that struct; none where it is empty.
name : str, optional
    For describe().

Examples
--------
A Python function is slow here, and shows how it goes:

>>> import ctypes, numpy as np, tessera_fem as tf
>>> from tessera_fem.point_block import PointBlock, POINT_FUNCTION
>>> @POINT_FUNCTION
... def cube(block, context):
...     b = block.contents
...     b.array("value_out", 1)[:] = b.array("D", 1) * b.array("value", 1) ** 3
>>> op = tf.ElementOperator(function=tf.PointFunction(cube, dim=1), D=np.ones((2, 3)), order=1, points=3,
...                         basis="gauss_lobatto", dim=1)
>>> op(np.ones((2, 2))).shape
(2, 2)
)";

point_shape parts_from(const char* what, const std::string& text, int components) {
  point_shape parts{.components = components};
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" ,+", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word == "value")
      parts.value = true;
    else if (word == "gradient")
      parts.gradient = true;
    else if (!word.empty())
      refuse_value(std::string("PointFunction: ") + what + " has \"" + word + "\"; there are: value, gradient");
    at = end + 1;
  }
  if (!parts.value && !parts.gradient)
    refuse_value(std::string("PointFunction: ") + what + " is empty; there are: value, gradient");
  return parts;
}

int number_in_range(keywords& k, const char* name, int otherwise, int most) {
  const int number = k.integer(name, otherwise);
  if (number < 1 || number > most)
    refuse_value("PointFunction: " + std::string(name) + "=" + std::to_string(number) + " is not in 1.." +
                 std::to_string(most));
  return number;
}

// The callback and its context as a C++ function.
struct callback {
  tessera_point_function call;
  void* context;

  template <class T>
  static void at_points(const points_block<T>& b, const void* state) {
    const callback& self = *static_cast<const callback*>(state);
    const tessera_point_block given{b.count, b.value, b.gradient, b.D, b.value_out, b.gradient_out};
    self.call(&given, self.context);
  }
};

// A launch reads as many bytes as the struct of the source text has.
std::shared_ptr<const void> padded_state(const char* from, std::size_t bytes) {
  constexpr std::size_t most_of_launch = 32768;
  const auto memory =
      std::make_shared<std::vector<std::max_align_t>>(std::max(bytes, most_of_launch) / sizeof(std::max_align_t) + 1);
  if (bytes > 0) std::memcpy(memory->data(), from, bytes);
  return {memory, memory->data()};
}

}  // namespace

point_function::point_function(nb::handle function, const nb::kwargs& given) {
  keywords k("PointFunction()", given);
  dim_ = k.integer("dim", 0);
  if (dim_ < 1 || dim_ > 3)
    refuse_value("PointFunction: dim=" + std::to_string(dim_) + " is not 1, 2 or 3; it has to be given");
  constexpr int most = 1024;
  trial_ = parts_from("takes", k.text("takes", "value"), number_in_range(k, "components", 1, most));
  test_ = parts_from("gives", k.text("gives", "value"), number_in_range(k, "test_components", 1, most));
  factors_ = number_in_range(k, "factors", 1, most);
  if (const std::string named = k.dtype("dtype", ""); !named.empty()) {
    type_ = type_of_dtype(named.c_str());
    if (type_ != scalar_type::f32 && type_ != scalar_type::f64)
      refuse_value("PointFunction: dtype=" + named + "; operators are of float32 or float64");
  }
  name_ = k.text("name", "a user's function");
  source_ = k.text("source", "");
  source_type_ = k.text("source_type", "");
  if (const nb::handle context = k.take("context"); context.is_valid())
    context_ = reinterpret_cast<void*>(
        address_from(context, "PointFunction", "context"));  // NOLINT: an address of the caller's
  const nb::handle state = k.take("state");
  k.refuse_rest();
  if (source_.empty() != source_type_.empty())
    refuse_value(std::string("PointFunction: ") +
                 (source_.empty() ? "source_type without source" : "source without source_type, the struct's name"));
  if (function.is_none() && source_.empty())
    refuse_value("PointFunction: neither a compiled function for a CPU nor a source for a GPU");
  if (!function.is_none()) {
    call_ = reinterpret_cast<tessera_point_function>(address_of_code(
        function, "PointFunction", {"void", {"pointer", "pointer"}}));  // NOLINT: an address of the caller's
    if (call_ == nullptr) refuse_value("PointFunction: the function's address is 0");
    kept_ = nb::borrow(function);
  }
  if (state.is_valid()) {
    char* at = nullptr;
    Py_ssize_t bytes = 0;
    if (PyBytes_AsStringAndSize(state.ptr(), &at, &bytes) != 0) nb::raise_python_error();
    state_ = padded_state(at, std::size_t(bytes));
  } else {
    state_ = padded_state(nullptr, 0);
  }
}

std::string point_function::describe() const {
  const auto parts = [](const point_shape& s) {
    std::string text = s.value ? "value" : "";
    if (s.gradient) text += text.empty() ? "gradient" : " and gradient";
    return text + " of " + std::to_string(s.components) + (s.components == 1 ? " component" : " components");
  };
  return name_ + ", " + std::to_string(dim_) + "-D: takes " + parts(trial_) + ", gives " + parts(test_) + ", " +
         std::to_string(factors_) + (factors_ == 1 ? " number" : " numbers") + " a point" +
         (type_ ? std::string(", ") + dtype_name(*type_) : std::string());
}

template <class T>
compiled_function<T> point_function::of(bool on_gpu) const {
  constexpr scalar_type wanted = sizeof(T) == 4 ? scalar_type::f32 : scalar_type::f64;
  if (type_ && *type_ != wanted)
    refuse_value("PointFunction " + name_ + " is for " + dtype_name(*type_) + ", and the operator has numbers of " +
                 dtype_name(wanted));
  compiled_function<T> made{.name = name_,
                            .dim = dim_,
                            .trial_components = trial_.components,
                            .test_components = test_.components,
                            .slopes = trial_.gradient || test_.gradient,
                            .factors = factors_,
                            .trial = trial_,
                            .test = test_};
  if (on_gpu) {
    if (source_.empty()) refuse_value("PointFunction " + name_ + ": a GPU needs source= and source_type=");
    made.source = {source_type_, source_};
    made.state = state_;
    return made;
  }
  if (call_ == nullptr) refuse_value("PointFunction " + name_ + ": a CPU needs the address of a compiled function");
  made.at_points = &callback::at_points<T>;
  made.state = std::make_shared<const callback>(callback{call_, context_});
  return made;
}

template compiled_function<float> point_function::of(bool) const;
template compiled_function<double> point_function::of(bool) const;

void add_point_functions(nb::module_& m) {
  nb::class_<point_function>(m, "PointFunction", text_of_point_function, nb::type_slots(slots_of_kept<point_function>))
      .def(
          "__init__",
          [](point_function* self, nb::handle function, const nb::kwargs& given) {
            new (self) point_function(function, given);
          },
          nb::arg("function").none() = nb::none(), nb::arg("given"),
          nb::sig("def __init__(self, function: FunctionAddress | None = None, *, dim: int, takes: str = 'value', "
                  "gives: str = 'value', components: int = 1, test_components: int = 1, factors: int = 1, "
                  "dtype: DTypeLike | None = None, context: int | None = None, "
                  "source: str | None = None, source_type: str | None = None, state: bytes | None = None, "
                  "name: str | None = None) -> None"))
      .def("describe", &point_function::describe, "What it takes and gives, as text.")
      .def_prop_ro("dim", &point_function::dim, "Directions of the elements.")
      .def("__repr__", [](const point_function& f) { return "<tessera_fem.PointFunction " + f.describe() + ">"; });
}

}  // namespace tessera::python
