// SPDX-License-Identifier: BSD-3-Clause
// The compiled part of tessera_fem: what each file adds to it, and tessera::error as Python's exceptions.
#include "parts.hpp"

#include <exception>

#include <tessera/error.hpp>

namespace tessera::python {

namespace {

// What a caller did wrong with a value is a ValueError, with a type a TypeError; the rest is tessera_fem.Error.
PyObject* exception_of(status code, PyObject* own) {
  switch (code) {
    case status::invalid_argument:
    case status::bad_einsum:
    case status::shape_mismatch:
    case status::null_pointer:
    case status::overlap:
    case status::overflow:
    case status::wrong_space: return PyExc_ValueError;
    case status::wrong_type: return PyExc_TypeError;
    case status::out_of_memory: return PyExc_MemoryError;
    default: return own;
  }
}

void add_errors(nb::module_& m) {
  // Never freed: Python is gone when static objects are.
  const auto& own = *new nb::exception<error>(m, "Error", PyExc_RuntimeError);
  own.attr("__doc__") = "What is no fault of a call's arguments: no such target, no GPU, a kernel that failed.";
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* type) {
        try {
          std::rethrow_exception(thrown);
        } catch (const error& e) {
          PyErr_SetString(exception_of(e.code(), static_cast<PyObject*>(type)), e.what());
        }
      },
      own.ptr());
}

}  // namespace

}  // namespace tessera::python

NB_MODULE(_core, m) {
  using namespace tessera::python;
  m.doc() = "The compiled part of tessera_fem; import tessera_fem instead.";
  add_errors(m);
  add_settings(m);
  add_limits(m);
  add_plans(m);
  add_einsum(m);
  add_own_functions(m);
  add_element_operators(m);
}
