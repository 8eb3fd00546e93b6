// SPDX-License-Identifier: BSD-3-Clause
// For tests of kernels that are compiled at run time: `if (no_jit()) return;`, and `if (absent()) return;` where they
// run, too, count the test case as skipped.
#pragma once

#include <tessera/detail/jit.hpp>

#include "testing/gpu.hpp"

namespace tessera::testing {

inline bool no_jit() {
  if (why_no_jit().empty()) return false;
  skip("no NVRTC");
  return true;
}

inline bool absent() { return no_gpu() || no_jit(); }

}  // namespace tessera::testing
