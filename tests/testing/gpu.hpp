// SPDX-License-Identifier: BSD-3-Clause
// For tests that need a GPU: `if (no_gpu()) return;` counts the test case as skipped where there is none.
#pragma once

#include <tessera/gpu/detail/runtime.hpp>

#include "testing/skip.hpp"

namespace tessera::testing {

inline bool no_gpu() {
  if (device::available()) return false;
  skip("no GPU");
  return true;
}

}  // namespace tessera::testing
