// SPDX-License-Identifier: BSD-3-Clause
// The CUDA stream of a call.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

/// The stream that was given: an integer, or an object of CuPy, PyTorch or cuda.core. Without one, of an array in a
/// GPU's memory, the current stream of its library, and CUDA's stream 0 where the library has none; 0 for others.
std::uintptr_t stream_of_call(nb::handle given, nb::handle array);

}  // namespace tessera::python
