// SPDX-License-Identifier: BSD-3-Clause
// GPU products that no compiled row serves: what a plan compiles for them when it is made, and why.
#pragma once

#include <optional>
#include <string>

#include <tessera/choose.hpp>

#include "records_overlay.hpp"

namespace tessera::detail {

struct run_time_row {
  gpu_gemm_tuning tuning;
  std::string because;
};

/// For packed products of these sizes: the tuning of their own record, else the nearest one's, first of the overlay (may
/// be null) and then of the build, else the model's. Nothing for products that no tuning fits.
std::optional<run_time_row> look_up_row(const choice_query& q, const overlay* over);

/// Why no rows can be compiled here: no NVRTC, or TESSERA_JIT=OFF in the environment. Empty where they can.
std::string why_no_run_time_rows();

/// What a plan compiles whose choice is `c`: the overlay's tuning where that is another; look_up_row where `c` is no row
/// of these sizes; nothing where `c` will do or nothing can be compiled.
std::optional<run_time_row> row_to_compile(const choice_query& q, const choice& c, const overlay* over);

}  // namespace tessera::detail
