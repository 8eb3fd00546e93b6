// SPDX-License-Identifier: BSD-3-Clause
// Which library an array is of, and how its arrays are exported fastest: found out once for each type.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

/// `buffer`: the buffer protocol is all that is needed, as for numpy. Arrays of others may have it too, of those that
/// are in host memory.
enum class library { buffer, torch, cupy, other };

struct array_kind {
  PyTypeObject* type = nullptr;
  library of = library::other;
  bool has_buffer = false, has_dlpack = false;
  /// Whether its __dlpack__ takes max_version, as far as is known.
  bool takes_version = true;
};

/// Of an object's type. The reference holds until the next call.
array_kind& kind_of(nb::handle array);

/// torch._C._to_dlpack and the handle of the current stream of a device, without torch's own synchronisation. Throws
/// ValueError where a tensor needs gradients, or is conjugated or negated when it is read.
nb::object torch_capsule(nb::handle tensor, const char* name);
std::uintptr_t torch_stream(nb::handle tensor);

}  // namespace tessera::python
