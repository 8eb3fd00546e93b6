// SPDX-License-Identifier: BSD-3-Clause
// A pass over a tensor in device memory in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "gpu/entry_function.hpp"

namespace tessera::bench::device {

void leaky_relu_pass(scalar_type, const void*, void*, std::size_t, double) {
  throw error("leaky_relu: no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace tessera::bench::device
