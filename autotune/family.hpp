// SPDX-License-Identifier: BSD-3-Clause
// A kernel family for the search: named axes, a rule of what fits, a model, and the text of a tuning.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <vector>

#include "tuning_case.hpp"

namespace tessera::tune {

inline constexpr int max_axes = 44;  // boxes of general contractions have the most

/// A point of a space: one value for each axis of the family, in their order; the rest is zero.
struct config {
  int value[max_axes]{};
  friend auto operator<=>(const config&, const config&) = default;
};

struct named_axis {
  std::string name;
  std::vector<int> values;
  std::vector<std::string> words{};  // names of values 0, 1, ..., if they have names
};

/// The measured limits of a device, each an upper bound of speed. Zero: unknown, and ignored in predictions (a clock
/// and a number of multiprocessors are assumed: predictions rank candidates, and ranks do not need them).
struct machine_limits {
  double bandwidth_cache = 0, bandwidth_stream = 0;  // bytes/s
  double flops_f32 = 0, flops_f64 = 0;               // flop/s
  double clock = 0;                                  // Hz
  double shared_bandwidth = 0;                       // bytes/s, GPU
  int multiprocessors = 0;                           // GPU
};

/// The predicted time of a candidate. `seconds`: of one product, the geometric mean of C = A B and C += A B. It is the
/// largest limiting time plus a small fraction of the others, since their overlap is never complete.
struct prediction {
  double seconds = 0;
  // Counts for one product, means of C = A B and C += A B. Instructions are vector instructions (CPU) or those of a
  // thread (GPU).
  double bytes = 0, fmas = 0, loads = 0, stores = 0, shuffles = 0;
  double shared_bytes = 0, conflicts = 0;  // GPU: moved through shared memory; cycles lost per conflict-free cycle
  int registers = 0;
  double occupancy = 1;
  const char* limited_by = "";
};

struct family {
  std::string name;  // "gemm"
  std::vector<named_axis> axes;
  config initial;  // the struct's member initialisers
  /// Null if the config fits, else the reason in a few words ("more accumulators than registers").
  std::function<const char*(const config&, const tuning_case&)> why_not;
  std::function<prediction(const config&, const tuning_case&, const machine_limits&)> predict;
  /// "tessera::cpu_gemm_tuning{1, 4, 4, 0, 0, 1, 0}"
  std::function<std::string(const config&)> source;
  /// The representative of all configs with the same kernel; empty: all differ.
  std::function<config(const config&, const tuning_case&)> canonical;
};

/// The gemm family of a target: all CPU instruction sets share one, the GPU has its own, for sm_90. Throws for the
/// reference loops, which have nothing to tune.
const family& gemm_family(target on);

/// The GPU's gemm family for another device: compute capability as major x 10 + minor.
family gpu_gemm_family(int compute_capability);

/// "row_vectors 2, columns 4": axes with values, as text.
std::string text_of(const family& f, const config& c);

}  // namespace tessera::tune
