// SPDX-License-Identifier: BSD-3-Clause
// The address of compiled code that Python hands over.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

/// An integer from 0 on that fits 64 bits; `call` and `name` are for the error: "PointFunction", "context".
std::uintptr_t address_from(nb::handle number, const char* call, const char* name);

/// Of an integer, a cfunc of numba or a function pointer of ctypes. Throws TypeError for others.
std::uintptr_t address_of_code(nb::handle function, const char* call);

}  // namespace tessera::python
