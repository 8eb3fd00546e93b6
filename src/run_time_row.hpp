// SPDX-License-Identifier: BSD-3-Clause
// GPU products that no compiled row serves: what a plan compiles for them when it is made, and why.
#pragma once

#include <optional>
#include <string>

#include <tessera/choose.hpp>
#include <tessera/jit.hpp>
#include <tessera/tuning_source.hpp>

#include "records/records_overlay.hpp"

namespace tessera::detail {

struct run_time_row {
  gpu_gemm_tuning tuning;
  tuning_source because;
  packed_layouts layouts = {};
};

/// For packed products of these sizes: the tuning of a record of theirs, else the nearest record's, first of the
/// overlay (may be null), then of this device, then of any; else the model's. Records are of operands that lie so, or,
/// where none is shared, of others. Nothing for products that no tuning fits.
std::optional<run_time_row> look_up_row(const choice_query& q, const packed_layouts& layouts, const overlay* over);

/// What a plan wants compiled for operands that lie so and whose choice is `c`: the overlay's tuning where that is
/// another; look_up_row where `c` is no row of these sizes; nothing where `c` will do or no tuning fits.
std::optional<run_time_row> wanted_row(const choice_query& q, const packed_layouts& layouts, const choice& c,
                                       const overlay* over);
/// The same where something can be compiled; else nothing.
std::optional<run_time_row> row_to_compile(const choice_query& q, const packed_layouts& layouts, const choice& c,
                                           const overlay* over);

/// "gemm f64 7x5x3, packed, compiled at run time: 8 products per block of 64 threads, ..."
std::string text_of(const run_time_row& row, const choice_query& q);

/// The row's kernel on the current device, compiled and loaded once a process: null where that fails, and `why_not`
/// says why. It stays to the end of the process, since queued runs and captured graphs outlive their plans.
const jit_kernel* kernel_of(const run_time_row& row, const choice_query& q, std::string& why_not);

/// A note on a generic row whose place a row compiled now could have taken: why there is none; `failure` is what
/// kernel_of said. Else empty.
std::string why_none_compiled(const choice_query& q, const packed_layouts& layouts, const choice& c,
                              const std::string& failure = {});

}  // namespace tessera::detail
