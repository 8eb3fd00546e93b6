// SPDX-License-Identifier: BSD-3-Clause
// CUDA and NVRTC as the GPU side calls them, each call of which may be made to fail: by the linker's --wrap.
#pragma once

#include <atomic>

namespace tessera::faults {

enum class gpu_calls {
  all,       ///< every call that can fail
  compiling  ///< those that compile, load and look up code
};

/// Which calls are counted and fail from now on.
void count_gpu_calls(gpu_calls which);

/// Memory, events, streams, loaded code and programs of NVRTC that were not given back: live_objects() of these tests.
std::atomic<long>& kept_by_gpu();

}  // namespace tessera::faults
