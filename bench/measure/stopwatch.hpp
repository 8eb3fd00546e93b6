// SPDX-License-Identifier: BSD-3-Clause
// Wall-clock time since construction.
#pragma once

#include <chrono>

namespace tessera::bench {

class stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::bench
