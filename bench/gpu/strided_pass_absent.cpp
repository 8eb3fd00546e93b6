// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores by strides on a GPU in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "gpu/strided_pass.hpp"

namespace tessera::bench::device {

void strided_pass(const strided_arrays&, unsigned, bool, float) {
  throw error("strides: no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace tessera::bench::device
