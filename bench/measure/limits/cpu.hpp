// SPDX-License-Identifier: BSD-3-Clause
// Measured limits of this CPU: FMA peak of each instruction set, bandwidth of each level of the memory system.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/scalar.hpp>

#include "measure/statistics.hpp"

namespace tessera::bench {

struct limit {
  std::string what;   // "fma", "copy", "triad streaming", ...
  std::string where;  // the instruction set for fma, else L1, L2, L3, DRAM
  std::string type;   // f32 or f64 for fma, empty for movement
  int threads = 1;
  std::string unit;  // GFLOP/s or GB/s
  summary value;     // of the rate itself
};

/// Called with each limit as it is measured; may be empty.
using progress_function = std::function<void(const limit&)>;

/// FMA peak of the fastest instruction set here, in flop/s, of the best sample, since noise cannot exceed a peak. About
/// 60 ms.
double fma_peak(scalar_type type, int threads);

/// Every FMA peak and every bandwidth with each number of threads, for the limits suite: some tens of seconds.
std::vector<limit> measure_cpu_limits(const std::vector<int>& threads, int reps, const progress_function& progress);

/// Seconds to move the data of one pass over three arrays once, best of ordinary and (for assignment) streaming stores:
/// reads `a` and `b`, writes `c` or updates it. Any array may be of any length. One call is one pass.
struct arrays {
  const double* a = nullptr;
  const double* b = nullptr;
  double* c = nullptr;
  std::size_t na = 0, nb = 0, nc = 0;  // in doubles
};
void move_once(const arrays& data, bool accumulate, bool streaming, int threads);

}  // namespace tessera::bench
