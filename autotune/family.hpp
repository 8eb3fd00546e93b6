// SPDX-License-Identifier: BSD-3-Clause
// A kernel family as the search sees it: named axes, a rule of what fits, a model, and the text of a tuning.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuning_case.hpp"

namespace tessera::tune {

inline constexpr int max_axes = 12;

/// A point of a space: one value for each axis of the family, in their order; the rest is zero.
struct config {
  int value[max_axes]{};
  friend bool operator==(const config&, const config&) = default;
};

struct named_axis {
  std::string name;
  std::vector<int> values;
};

/// What a device can do, as measured; each an upper bound of speed. Zero: unknown, and left out of predictions.
struct machine_limits {
  double bandwidth_cache = 0, bandwidth_stream = 0;  // bytes/s
  double flops_f32 = 0, flops_f64 = 0;               // flop/s
  double clock = 0;                                  // Hz
  double shared_bandwidth = 0;                       // bytes/s, GPU
  int multiprocessors = 0;                           // GPU
};

/// Why a candidate takes as long as it does. `seconds` is that of one product, the largest of the others.
struct prediction {
  double seconds = 0;
  double bytes = 0, fmas = 0, loads = 0, stores = 0, shuffles = 0;  // counted, of one product
  double shared_bytes = 0, conflicts = 0;                           // GPU
  int registers = 0;
  double occupancy = 1;
  const char* limited_by = "";
};

struct family {
  std::string name;  // "gemm"
  std::vector<named_axis> axes;
  config initial;  // the struct's member initialisers
  /// Null where the config fits, else the reason in a few words ("more accumulators than registers").
  std::function<const char*(const config&, const tuning_case&)> why_not;
  std::function<prediction(const config&, const tuning_case&, const machine_limits&)> predict;
  /// "tessera::cpu_gemm_tuning{1, 4, 4, 0, 0, 1, 0}"
  std::function<std::string(const config&)> source;
};

/// The gemm family of a target: CPU instruction sets share one, the GPU has its own.
const family& gemm_family(target on);

/// "row_vectors 2, columns 4": axes with values, for people.
std::string text_of(const family& f, const config& c);

}  // namespace tessera::tune
