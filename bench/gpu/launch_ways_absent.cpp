// SPDX-License-Identifier: BSD-3-Clause
// The GPU's ways to launch products in a build without CUDA: there is no device.
#include <tessera/error.hpp>

#include "gpu/launch_ways.hpp"

namespace tessera::bench::device {

void multiply_in_one_block(const gemm_call&) {
  throw error("products in one block: no device, tessera-bench was built without CUDA", status::no_device);
}

std::function<void()> graph_of(const std::function<void(stream_view)>&) {
  throw error("a CUDA graph: no device, tessera-bench was built without CUDA", status::no_device);
}

}  // namespace tessera::bench::device
