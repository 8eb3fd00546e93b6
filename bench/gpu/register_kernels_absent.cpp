// SPDX-License-Identifier: BSD-3-Clause
// Register pressure in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "gpu/register_kernels.hpp"

namespace tessera::bench::device {

std::vector<register_kernel> register_kernels(int) {
  throw error("registers: no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace tessera::bench::device
