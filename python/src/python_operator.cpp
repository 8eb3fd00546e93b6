// SPDX-License-Identifier: BSD-3-Clause
// Calls Python from a solver.
#include "python_operator.hpp"

#include <cstring>
#include <memory>
#include <string>

#include <nanobind/stl/string.h>

#include "element_operator.hpp"
#include "interpreter_lock.hpp"
#include "keywords.hpp"

namespace tessera::python {

namespace {

nb::object function_of(nb::handle A, const char* name) {
  if (nb::hasattr(A, "matvec")) return A.attr("matvec");
  // A sparse matrix may be callable, too: as a product it is what is meant.
  if (nb::hasattr(A, "__matmul__")) return A.attr("__matmul__");
  if (PyCallable_Check(A.ptr()) != 0) return nb::borrow(A);
  refuse_object(std::string(name) + " is " + shown(A) + ", which has no matvec, no @ and is no function");
}

}  // namespace

template <class T>
linear_operator<T> python_operator(nb::handle A, index_t size, const char* name) {
  // Copies of the operator share it, so that none counts references without the lock.
  const auto function = std::make_shared<const nb::object>(function_of(A, name));
  return linear_operator<T>(size, [function, size, named = std::string(name)](const T* x, T* y) {
    with_lock([&] {
      constexpr scalar_type type = sizeof(T) == 4 ? scalar_type::f32 : scalar_type::f64;
      const nb::object in = new_numpy_array(type, {size});
      std::memcpy(array(in, "x").data(), x, std::size_t(size) * sizeof(T));
      const nb::object out = as_numpy((*function)(in), dtype_name(type), ("the result of " + named).c_str());
      const array result(out, "y");
      if (result.size() != size)
        refuse_value(named + " gives an array of the shape " + extents_text(result) + ", not (" + std::to_string(size) +
                     ",)");
      std::memcpy(y, result.data(), std::size_t(size) * sizeof(T));
    });
  });
}

template linear_operator<float> python_operator(nb::handle, index_t, const char*);
template linear_operator<double> python_operator(nb::handle, index_t, const char*);

}  // namespace tessera::python
