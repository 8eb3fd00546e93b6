// SPDX-License-Identifier: BSD-3-Clause
// A batch of small matrix products as a case of the suites gemm and launch.
#pragma once

#include "run_case.hpp"
#include "sizes.hpp"

namespace tessera::bench {

/// C = op(A) op(B) + beta C with the storage, sharing and batch of the options.
workload product_case(const gemm_size& size, const std::string& trans, const setting& s);

}  // namespace tessera::bench
