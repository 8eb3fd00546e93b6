// SPDX-License-Identifier: BSD-3-Clause
// Addresses of integers, numba and ctypes.
#include "compiled_code.hpp"

#include <utility>

#include <nanobind/stl/string.h>

#include "e_vector.hpp"
#include "keywords.hpp"

namespace tessera::python {

namespace {

std::string name_of_ctype(nb::handle type) {
  if (type.is_none()) return "void";
  const nb::object code = nb::getattr(type, "_type_", nb::none());
  if (nb::isinstance<nb::str>(code)) {
    const std::pair<const char*, const char*> names[] = {
        {"d", "float64"}, {"f", "float32"}, {"i", "int32"},   {"l", "int64"},   {"q", "int64"},
        {"L", "uint64"},  {"Q", "uint64"},  {"P", "pointer"}, {"z", "pointer"}, {"Z", "pointer"}};
    for (const auto& [letter, name] : names)
      if (nb::cast<std::string>(code) == letter) return name;
  } else if (!code.is_none()) {
    return "pointer";  // POINTER(...)
  }
  return nb::cast<std::string>(nb::getattr(type, "__name__", nb::repr(type)));
}

code_signature signature_of_ctypes(nb::handle result, nb::handle arguments) {
  code_signature found{name_of_ctype(result), {}};
  for (const nb::handle type : arguments) found.arguments.push_back(name_of_ctype(type));
  return found;
}

code_signature signature_of_numba(nb::handle signature) {
  const auto name = [](nb::handle type) {
    const auto text = nb::cast<std::string>(nb::str(type));
    return text == "none" ? std::string("void") : text.ends_with('*') ? std::string("pointer") : text;
  };
  code_signature found{name(signature.attr("return_type")), {}};
  for (const nb::handle type : signature.attr("args")) found.arguments.push_back(name(type));
  return found;
}

std::string text_of(const code_signature& s) {
  std::string text = s.result + "(";
  for (const std::string& type : s.arguments) text += (&type == s.arguments.data() ? "" : ", ") + type;
  return text + ")";
}

// An address may be an integer, and a result that nobody wants anything.
void check_signature(const code_signature& found, const code_signature& wanted, const char* call) {
  bool is_same =
      (wanted.result == "void" || found.result == wanted.result) && found.arguments.size() == wanted.arguments.size();
  for (std::size_t i = 0; is_same && i < wanted.arguments.size(); ++i) {
    const std::string& type = found.arguments[i];
    is_same =
        type == wanted.arguments[i] || (wanted.arguments[i] == "pointer" && (type == "int64" || type == "uint64"));
  }
  if (!is_same)
    refuse_object(std::string(call) + " calls " + text_of(wanted) + ", and the function is " + text_of(found));
}

}  // namespace

std::uintptr_t address_from(nb::handle number, const char* call, const char* name) {
  std::uintptr_t address = 0;
  if (!nb::try_cast(number, address))
    refuse_object(std::string(call) + ": " + name + " is " + shown(number) +
                  ", not an address, an integer from 0 on that fits 64 bits");
  return address;
}

std::uintptr_t address_of_code(nb::handle function, const char* call, const code_signature& wanted) {
  if (PyLong_Check(function.ptr())) return address_from(function, call, "function");
  if (nb::hasattr(function, "address")) {  // numba
    if (nb::hasattr(function, "_sig")) check_signature(signature_of_numba(function.attr("_sig")), wanted, call);
    return address_from(function.attr("address"), call, "function.address");
  }
  const nb::module_ ctypes = nb::module_::import_("ctypes");
  if (PyObject_IsInstance(function.ptr(), nb::object(ctypes.attr("_CFuncPtr")).ptr()) == 1) {
    // Of a library's function None until someone sets them.
    if (const nb::object arguments = function.attr("argtypes"); !arguments.is_none())
      check_signature(signature_of_ctypes(function.attr("restype"), arguments), wanted, call);
    const nb::object at = ctypes.attr("cast")(function, ctypes.attr("c_void_p")).attr("value");
    return at.is_none() ? 0 : nb::cast<std::uintptr_t>(at);
  }
  refuse_object(std::string(call) +
                " takes the address of compiled code: an integer, a cfunc of numba or a function pointer of ctypes, "
                "not " +
                shown(function));
}

}  // namespace tessera::python
