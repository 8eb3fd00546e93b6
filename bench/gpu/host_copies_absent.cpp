// SPDX-License-Identifier: BSD-3-Clause
// Copies between host and GPU in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "gpu/host_copies.hpp"

namespace tessera::bench::device {

std::vector<models::transfer_sample> time_host_copies(copy_direction, const std::vector<double>&, int) {
  throw error("copies between host and GPU: no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace tessera::bench::device
