// SPDX-License-Identifier: BSD-3-Clause
// The CUDA stream of a call.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

#include <tessera/space.hpp>

#include "library.hpp"

namespace tessera::python {

namespace nb = nanobind;

struct call_stream {
  std::uintptr_t handle = 0;
  /// The library whose current stream it is, in which its arrays need no synchronisation; `other`: of none.
  library of = library::other;
};

/// The stream that was given: an integer, or an object of CuPy, PyTorch or cuda.core. Without one, of an array in a
/// GPU's memory, the current stream of its library, and CUDA's stream 0 where the library has none; 0 for others.
call_stream stream_of_call(nb::handle given, nb::handle array);
/// Of an operator in that space: on a CPU a stream that is given is checked, and not used.
call_stream stream_of_call(space_kind space, nb::handle given, nb::handle array);

}  // namespace tessera::python
