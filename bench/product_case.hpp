// SPDX-License-Identifier: BSD-3-Clause
// A batch of small matrix products as a case: what the suites gemm and launch measure.
#pragma once

#include "run_case.hpp"
#include "sizes.hpp"

namespace tessera::bench {

/// C = op(A) op(B) + beta C with the storage, sharing and batch that the options ask for.
workload product_case(const gemm_size& size, const std::string& trans, const setting& s);

}  // namespace tessera::bench
