// SPDX-License-Identifier: BSD-3-Clause
// What a launch is called in an error: put together only when there is one.
#pragma once

#include <string>

#include <tessera/core/types.hpp>

namespace tessera::device {

struct kernel_name {
  const char* what;                // "gemm", or the einsum
  index_t m = -1, n = -1, k = -1;  // left out where negative
  const char* types = nullptr;     // "f64"
  bool whole = false;              // `what` says it all

  std::string text() const {
    if (whole) return what;
    if (m < 0) return std::string("contract \"") + what + "\"";
    return std::string(what) + (types ? std::string(" ") + types : "") + " " + std::to_string(m) + "x" +
           std::to_string(n) + "x" + std::to_string(k);
  }
};

}  // namespace tessera::device
