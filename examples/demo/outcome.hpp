// SPDX-License-Identifier: BSD-3-Clause
// The results of a case, and its limits.
#pragma once

#include <tessera/space.hpp>

#include <algorithm>
#include <string>

#include "measure/trust.hpp"
#include "sizes.hpp"

namespace tessera::demo {

enum class operation { apply, matrices };
constexpr const char* name_of(operation what) { return what == operation::apply ? "apply" : "matrices"; }

/// One operator of one order in one space: applied, or its element matrices computed.
struct outcome {
  operation what = operation::apply;
  space_kind space = space_kind::cpu;
  element_sizes sizes;
  index_t elements = 0;
  // A median of 0: not measured.
  bench::timing tessera;
  bench::timing with_gather;  // of Tessera: gather, apply, scatter
  bench::timing plain;        // the plain loop
  bench::timing csr;          // y = A x, on a mesh of its own
  index_t csr_elements = 0;
  bench::timing movement;  // of as many bytes, over arrays of these sizes
  double peak = 0;         // measured: flops a second
  int attempts = 1;
  double error = 0;         // the largest of all checks, relative
  std::string description;  // of the kernel

  double bytes() const {
    return double(elements) * (what == operation::apply ? sizes.apply_bytes() : sizes.matrix_bytes());
  }
  double flops() const {
    return double(elements) * (what == operation::apply ? sizes.apply_flops() : sizes.matrix_flops());
  }
  /// Results per pass: entries of the E-vector y, or of the matrices.
  double entries(index_t of_elements) const {
    const double n = double(sizes.functions());
    return double(of_elements) * (what == operation::apply ? n : n * n);
  }
  double rate(const bench::timing& t, index_t of_elements) const {
    return t.seconds.median > 0 ? entries(of_elements) / t.seconds.median : 0;
  }
  double rate() const { return rate(tessera, elements); }

  double bandwidth() const { return bytes() / movement.seconds.median; }
  bool bound_by_bytes() const { return movement.seconds.median >= flops() / peak; }
  /// Flops are those of the plain algorithm: a kernel that uses the symmetry of its tables, or of the matrix, does half
  /// of them.
  bench::bound limit() const {
    const bool memory = bound_by_bytes();
    return {.seconds = std::max(movement.seconds.median, flops() / peak),
            .by = memory ? "bandwidth" : "flops",
            .bandwidth = bandwidth(),
            .peak = peak,
            .honest = memory ? bench::honest_movement(space, bytes()) : bench::honest_with_symmetry};
  }
  double fraction() const { return limit().seconds / tessera.seconds.median; }
  /// If it is not plausible, the limit was measured too low and the fraction is meaningless. False for NaN.
  bool is_believed() const { return fraction() <= limit().most_fraction(); }

  /// Disturbed by other load on the machine: the time or the data movement that bounds it is not trustworthy.
  bool disturbed() const {
    return !bench::suspicion(tessera, limit()).empty() || !bench::disturbance_of_limit(movement, limit()).empty();
  }
};

/// Relative to the largest entry. Rounding of the longest chains of sums, a few hundred products with derivative tables
/// of order 8, is below a tenth of it; a wrong entry is far above.
inline constexpr double tolerance = 1e-12;
inline bool correct(const outcome& r) { return r.error <= tolerance; }  // false for NaN

struct settings {
  int threads = 1;
  double cpu_bytes = 128e6;  // of a case's data: larger than most caches
  double gpu_bytes = 512e6;
  double seconds = 0.12;  // spent on a contender
  /// Of the CPU's cases. After two thirds of it no measurement is repeated, and meshes are smaller.
  double most_seconds = 60;
};

}  // namespace tessera::demo
