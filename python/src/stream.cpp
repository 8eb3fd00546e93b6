// SPDX-License-Identifier: BSD-3-Clause
// Streams of CuPy, PyTorch and others.
#include "stream.hpp"

#include <string>
#include <utility>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "dlpack.hpp"

namespace tessera::python {

namespace {

std::uintptr_t handle_of(nb::handle stream) {
  if (PyLong_Check(stream.ptr())) return nb::cast<std::uintptr_t>(stream);
  // PyTorch's, CuPy's, numba's.
  for (const char* name : {"cuda_stream", "ptr", "handle"})
    if (nb::hasattr(stream, name)) return nb::cast<std::uintptr_t>(nb::int_(stream.attr(name)));
  if (nb::hasattr(stream, "__cuda_stream__"))
    return nb::cast<std::pair<int, std::uintptr_t>>(stream.attr("__cuda_stream__")()).second;
  throw nb::type_error(("stream= takes an integer, or a stream of CuPy, PyTorch or cuda.core, not " +
                        nb::cast<std::string>(nb::repr(stream)))
                           .c_str());
}

// The first part of the name of its type's module: "torch".
std::string library_of(nb::handle array) {
  const auto module_name = nb::cast<std::string>(array.type().attr("__module__"));
  return module_name.substr(0, module_name.find('.'));
}

}  // namespace

std::uintptr_t stream_of_call(nb::handle given, nb::handle array) {
  if (given.is_valid() && !given.is_none()) return handle_of(given);
  if (!array.is_valid() || PyObject_CheckBuffer(array.ptr()) || !nb::hasattr(array, "__dlpack_device__")) return 0;
  const auto device = nb::cast<std::pair<int, int>>(array.attr("__dlpack_device__")());
  if (device.first != dlpack::on_cuda && device.first != dlpack::on_cuda_managed) return 0;
  const std::string library = library_of(array);
  if (library == "torch")
    return handle_of(nb::module_::import_("torch").attr("cuda").attr("current_stream")(array.attr("device")));
  if (library == "cupy") return handle_of(nb::module_::import_("cupy").attr("cuda").attr("get_current_stream")());
  return 0;
}

}  // namespace tessera::python
