// SPDX-License-Identifier: BSD-3-Clause
// The address of compiled code that Python hands over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

/// An integer from 0 on that fits 64 bits; `call` and `name` are for the error: "PointFunction", "context".
std::uintptr_t address_from(nb::handle number, const char* call, const char* name);

/// How a function is called. Types are called "float64", "int32" and so on, "pointer" and "void".
struct code_signature {
  std::string result;
  std::vector<std::string> arguments;
};

/// Of an integer, a cfunc of numba or a function pointer of ctypes. Throws TypeError for others, and where numba, or
/// the argtypes of ctypes, say that the function is called in another way than that.
std::uintptr_t address_of_code(nb::handle function, const char* call, const code_signature& wanted);

}  // namespace tessera::python
