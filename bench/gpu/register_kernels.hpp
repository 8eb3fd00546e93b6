// SPDX-License-Identifier: BSD-3-Clause
// Kernels of as many multiply-adds whose threads hold different numbers of registers.
#pragma once

#include <functional>
#include <vector>

namespace tessera::bench::device {

struct register_kernel {
  int held = 0;    // numbers that a thread keeps through its multiply-adds
  int chains = 0;  // independent chains of multiply-adds of a thread
  // Of the compiler and the driver.
  int registers = 0;
  int local_bytes = 0;  // above 0: some of the held numbers were spilled
  int threads = 0;      // of a block
  int resident_blocks = 0;
  double flops = 0;  // of a pass
  std::function<void()> run;
  std::function<long()> wrong;  // threads whose sum of the last pass is not right
};

/// All of them, with blocks for `waves` times the threads that fill the GPU.
std::vector<register_kernel> register_kernels(int waves);

}  // namespace tessera::bench::device
