// SPDX-License-Identifier: BSD-3-Clause
// The code that Tessera is compared with, compiled for each instruction set: a plain element loop and a CSR product.
#pragma once

#include <tessera/target.hpp>

#include <cstdint>

namespace tessera::demo {

/// Column-major tables of one direction and their transposes: values at the points (q,d), derivatives at the points of
/// the polynomial through them (q,q).
struct plain_tables {
  const double *B, *B_transposed, *C, *C_transposed;
};

/// Factor f of point k of element e at D[k + q^3 (f + factors e)].
using plain_loop = void (*)(const plain_tables& tables, const double* D, std::int64_t elements, const double* x,
                            double* y);

/// Compressed sparse rows.
struct csr_view {
  std::int64_t rows;
  const std::int64_t* start;
  const std::int32_t* column;
  const double* value;
};

struct peers {
  const char* isa;
  plain_loop (*mass)(int p);  // p = 1..8
  plain_loop (*diffusion)(int p);
  void (*multiply)(const csr_view& A, const double* x, double* y);
};

/// Those of the instruction set that Tessera's kernels have, default_cpu_target(); for the reference loops, which have
/// no instruction set, those of the first one of this build. Throws if this machine can run none of the build.
const peers& best_peers();

/// Those compiled for one instruction set of this build.
template <target isa>
const peers& compiled_peers();

}  // namespace tessera::demo
