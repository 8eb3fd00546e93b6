// SPDX-License-Identifier: BSD-3-Clause
// The suites of tessera-bench; each returns the exit status.
#pragma once

#include "options.hpp"

namespace tessera::bench {

int run_limits(const options& o);
int run_gemm(const options& o);
int run_contraction(const options& o);
int run_chain(const options& o);
int run_element(const options& o);
int run_assembly(const options& o);
int run_operator(const options& o);
int run_solve(const options& o);
int run_hydro(const options& o);
int run_tccg(const options& o);
int run_launch(const options& o);
int run_small(const options& o);
int run_call(const options& o);
int run_stride(const options& o);
int run_registers(const options& o);
int run_models(const options& o);
int run_two_site(const options& o);

}  // namespace tessera::bench
