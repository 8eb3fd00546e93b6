// SPDX-License-Identifier: BSD-3-Clause
// The name of a launch in an error, composed only when there is one.
#pragma once

#include <string>

#include <tessera/core/types.hpp>

namespace tessera::device {

struct kernel_name {
  const char* what;                // "gemm", or the einsum
  index_t m = -1, n = -1, k = -1;  // omitted if negative
  const char* types = nullptr;     // "f64"
  bool whole = false;              // `what` is the whole name

  std::string text() const {
    if (whole) return what;
    if (m < 0) return std::string("contract \"") + what + "\"";
    return std::string(what) + (types ? std::string(" ") + types : "") + " " + std::to_string(m) + "x" +
           std::to_string(n) + "x" + std::to_string(k);
  }
};

}  // namespace tessera::device
