// SPDX-License-Identifier: BSD-3-Clause
// Streams of CuPy, PyTorch and others.
#include "stream.hpp"

#include <string>
#include <utility>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "keywords.hpp"

namespace tessera::python {

namespace {

std::uintptr_t handle_of(nb::handle stream) {
  if (std::uintptr_t number = 0; PyLong_Check(stream.ptr())) {
    if (!nb::try_cast(stream, number))
      throw nb::value_error("stream= takes an integer of 64 bits that is not negative");
    return number;
  }
  // PyTorch's and CuPy's.
  for (const char* name : {"cuda_stream", "ptr"})
    if (nb::hasattr(stream, name)) return nb::cast<std::uintptr_t>(nb::int_(stream.attr(name)));
  if (nb::hasattr(stream, "__cuda_stream__"))
    return nb::cast<std::pair<int, std::uintptr_t>>(stream.attr("__cuda_stream__")()).second;
  // numba's: a pointer of ctypes, whose value is None for stream 0.
  if (nb::hasattr(stream, "handle")) {
    nb::object handle = stream.attr("handle");
    if (nb::hasattr(handle, "value")) handle = handle.attr("value");
    return handle.is_none() ? 0 : nb::cast<std::uintptr_t>(nb::int_(handle));
  }
  throw nb::type_error(
      ("stream= takes an integer, or a stream of CuPy, PyTorch or cuda.core, not " + shown(stream)).c_str());
}

}  // namespace

call_stream stream_of_call(nb::handle given, nb::handle array) {
  if (given.is_valid() && !given.is_none()) return {handle_of(given)};
  switch (kind_of(array).of) {
    case library::torch:
      if (nb::cast<bool>(array.attr("is_cuda"))) return {torch_stream(array), library::torch};
      return {};
    case library::cupy:
      return {handle_of(nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")()), library::cupy};
    default: return {};
  }
}

call_stream stream_of_call(space_kind space, nb::handle given, nb::handle array) {
  if (space == space_kind::gpu) return stream_of_call(given, array);
  if (given.is_valid() && !given.is_none()) handle_of(given);
  return {};
}

}  // namespace tessera::python
