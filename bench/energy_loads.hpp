// SPDX-License-Identifier: BSD-3-Clause
// Work whose energy tells the parts of the energy model from each other: copies, multiply-adds, and hardly anything.
#pragma once

#include <functional>
#include <vector>

namespace tessera::bench {

/// What a meter can follow when it is repeated, and what a pass of it does.
struct energy_load {
  std::function<void()> pass;
  double flops = 0, bytes = 0;
};

/// Copies of 128 MiB a pass, multiply-adds, and rest; each thread does its part of a copy and its own multiply-adds.
std::vector<energy_load> energy_loads_of_cpu(int threads);

}  // namespace tessera::bench
