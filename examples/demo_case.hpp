// SPDX-License-Identifier: BSD-3-Clause
// One case of the demo: the mass operator of one order in one space, applied or assembled, checked, timed, and bounded.
#pragma once

#include <tessera/space.hpp>

#include <string>
#include <vector>

namespace tessera::demo {

/// What this machine can do, measured in this run.
struct limits {
  double cpu_flops = 0;  // FMA, double, all threads
  double gpu_flops = 0;
};

struct settings {
  int threads = 1;
  double cpu_bytes = 256e6;  // of a case's data: beyond the caches, so that memory is measured
  double gpu_bytes = 512e6;
  double seconds = 0.8;  // spent on timing a case
};

enum class operation { apply, assemble };
constexpr const char* name_of(operation what) { return what == operation::apply ? "apply" : "assemble"; }

struct outcome {
  operation what = operation::apply;
  space_kind space = space_kind::cpu;
  int p = 1;
  long long elements = 0;
  double seconds = 0, mad = 0;  // median of one application or assembly of the whole mesh
  double flops = 0, bytes = 0;
  double bandwidth = 0;  // of plain movement over arrays of these sizes, bytes a second
  double bound_seconds = 0;
  bool bound_by_bytes = true;
  double error = 0, tolerance = 0;  // 1^T M 1 against the volume; M V against the evaluation
  std::vector<std::string> rows;    // kernel rows in the order in which they run

  double fraction() const { return bound_seconds / seconds; }
  bool correct() const { return error <= tolerance; }  // false for NaN
};

outcome run(operation what, space_kind space, int p, const settings& how, const limits& machine);

}  // namespace tessera::demo
