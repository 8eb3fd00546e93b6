// SPDX-License-Identifier: BSD-3-Clause
// Builds small gemm cases with their peers' call, for the tests of the harness.
#pragma once

#include "sizes.hpp"
#include "workload.hpp"

namespace tessera::testing {

/// Column-major, filled inputs, outputs at their initial value (beta != 0) or NaN.
bench::workload small_gemm(const bench::gemm_size& size, scalar_type type, double beta, bool trans_a = false,
                           bool trans_b = false, index_t batch = 5);

/// The call of `work` with its pointers.
bench::gemm_call call_of(const bench::workload& work, int threads = 1);

/// out = A B + beta C by plain loops, as the peers are asked for it.
void multiply(bench::workload& work);

}  // namespace tessera::testing
