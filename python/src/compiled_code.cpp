// SPDX-License-Identifier: BSD-3-Clause
// Addresses of integers, numba and ctypes.
#include "compiled_code.hpp"

#include <string>

#include "e_vector.hpp"
#include "keywords.hpp"

namespace tessera::python {

std::uintptr_t address_from(nb::handle number, const char* call, const char* name) {
  std::uintptr_t address = 0;
  if (!nb::try_cast(number, address))
    refuse_object(std::string(call) + ": " + name + " is " + shown(number) +
                  ", not an address, an integer from 0 on that fits 64 bits");
  return address;
}

std::uintptr_t address_of_code(nb::handle function, const char* call) {
  if (PyLong_Check(function.ptr())) return address_from(function, call, "function");
  if (nb::hasattr(function, "address"))
    return address_from(function.attr("address"), call, "function.address");  // numba
  const nb::module_ ctypes = nb::module_::import_("ctypes");
  if (PyObject_IsInstance(function.ptr(), nb::object(ctypes.attr("_CFuncPtr")).ptr()) == 1) {
    const nb::object at = ctypes.attr("cast")(function, ctypes.attr("c_void_p")).attr("value");
    return at.is_none() ? 0 : nb::cast<std::uintptr_t>(at);
  }
  refuse_object(std::string(call) +
                " takes the address of compiled code: an integer, a cfunc of numba or a function pointer of ctypes, "
                "not " +
                shown(function));
}

}  // namespace tessera::python
