// SPDX-License-Identifier: BSD-3-Clause
// Types of arrays, seen before or new.
#include "library.hpp"

#include <cstdint>
#include <string>

#include <nanobind/stl/string.h>

namespace tessera::python {

namespace {

// The package that a type is of.
std::string package_of(nb::handle type) {
  const nb::object module_name = nb::getattr(type, "__module__", nb::none());
  if (!nb::isinstance<nb::str>(module_name)) return "";
  const auto name = nb::cast<std::string>(module_name);
  return name.substr(0, name.find('.'));
}

// Of the packages whose arrays are known, the first that a type or what it is derived from is of.
std::string library_of(nb::handle type) {
  for (const nb::handle base : nb::tuple(type.attr("__mro__"))) {
    const std::string package = package_of(base);
    for (const char* known : {"numpy", "torch", "cupy"})
      if (package == known) return package;
  }
  return "";
}

array_kind described(nb::handle array) {
  array_kind kind{.type = Py_TYPE(array.ptr()), .has_buffer = PyObject_CheckBuffer(array.ptr()) != 0};
  kind.has_dlpack = nb::hasattr(array, "__dlpack__") && nb::hasattr(array, "__dlpack_device__");
  const std::string known = library_of(array.type());
  if (kind.has_buffer && (known == "numpy" || !kind.has_dlpack)) kind.of = library::buffer;
  if (known == "torch") kind.of = library::torch;
  if (known == "cupy") kind.of = library::cupy;
  return kind;
}

// A type of a library lives as long as the process; one of a user's own is not to be kept alive.
bool is_of_library(nb::handle type) {
  const std::string package = package_of(type);
  for (const char* known : {"builtins", "array", "numpy", "torch", "cupy", "jax", "jaxlib"})
    if (package == known) return true;
  return false;
}

// A function of torch._C; kept for the life of the process, as the module is.
nb::object function_of_torch(const char* name) {
  const nb::object inner = nb::module_::import_("torch").attr("_C");
  return nb::hasattr(inner, name) ? nb::object(inner.attr(name)) : nb::object();
}

}  // namespace

array_kind& kind_of(nb::handle array) {
  // Changed under Python's lock. Types that are kept stay alive, so that no other one gets the address.
  constexpr int most = 16;
  static array_kind seen[most];
  static int count = 0;
  PyTypeObject* const type = Py_TYPE(array.ptr());
  for (int i = 0; i < count; ++i)
    if (seen[i].type == type) return seen[i];
  const array_kind found = described(array);
  if (count == most || !is_of_library(array.type())) {
    static array_kind last;
    return last = found;
  }
  Py_INCREF(type);
  return seen[count++] = found;
}

nb::object torch_capsule(nb::handle tensor, const char* name) {
  static const nb::object* const function = new nb::object(function_of_torch("_to_dlpack"));
  if (nb::cast<bool>(tensor.attr("requires_grad")))
    throw nb::value_error(
        (std::string(name) + " requires gradients, which Tessera does not follow here: give tensor.detach()").c_str());
  if (nb::cast<bool>(tensor.attr("is_conj")()) || nb::cast<bool>(tensor.attr("is_neg")()))
    throw nb::value_error((std::string(name) +
                           " is conjugated or negated when it is read: give tensor.resolve_conj().resolve_neg(), or "
                           "functions={\"a\": \"conjugate\"}")
                              .c_str());
  return function->is_valid() ? (*function)(tensor) : tensor.attr("__dlpack__")();
}

std::uintptr_t torch_stream(nb::handle tensor) {
  static const nb::object* const function = new nb::object(function_of_torch("_cuda_getCurrentRawStream"));
  const nb::object device = tensor.attr("device");
  if (function->is_valid()) return nb::cast<std::uintptr_t>((*function)(device.attr("index")));
  return nb::cast<std::uintptr_t>(
      nb::module_::import_("torch").attr("cuda").attr("current_stream")(device).attr("cuda_stream"));
}

}  // namespace tessera::python
