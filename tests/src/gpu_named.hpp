// SPDX-License-Identifier: BSD-3-Clause
// Facts of GPUs that are not there.
#pragma once

#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::testing {

inline device::device_info gpu_named(const char* name, int major, int minor, int multiprocessors) {
  device::device_info there;
  there.name = name;
  there.major = major;
  there.minor = minor;
  there.sms = multiprocessors;
  return there;
}

}  // namespace tessera::testing
