// SPDX-License-Identifier: BSD-3-Clause
// GPU products without a compiled row: the row that a plan compiles for them when it is made, and the reason.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <tessera/detail/choose.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/detail/tuning_source.hpp>

#include "general/compile_behind.hpp"
#include "records/records_overlay.hpp"

namespace tessera::detail {

struct run_time_row {
  gpu_gemm_tuning tuning;
  tuning_source because;
  packed_layouts layouts = {};
};

/// For packed products of these sizes: the tuning of their own record, else the nearest record's, first of the overlay
/// (may be null), then of this device, then of any; else the model's. Records have the same layouts, or, if no operand
/// is shared, others. Empty if no tuning fits.
std::optional<run_time_row> look_up_row(const choice_query& q, const packed_layouts& layouts, const overlay* over);

/// The row to compile for operands of these layouts and the choice `c`: with the overlay's tuning if that differs; by
/// look_up_row if `c` is not a row of these sizes; empty if `c` is good enough or no tuning fits.
std::optional<run_time_row> wanted_row(const choice_query& q, const packed_layouts& layouts, const choice& c,
                                       const overlay* over);
/// The same if kernels can be compiled; else empty.
std::optional<run_time_row> row_to_compile(const choice_query& q, const packed_layouts& layouts, const choice& c,
                                           const overlay* over);

/// "gemm f64 7x5x3, packed, compiled at run time: 8 products per block of 64 threads, ..."
std::string text_of(const run_time_row& row, const choice_query& q);

/// The row's kernel on the current device, compiled and loaded once for all plans; null if that fails, with the reason
/// in `why_not`. It stays as kept_code says.
std::shared_ptr<const jit_kernel> kernel_of(const run_time_row& row, const choice_query& q, std::string& why_not);

/// The same for a plan that does not wait: null, too, while a thread of the library compiles it, which is `behind`
/// then.
std::shared_ptr<const jit_kernel> kernel_behind(const run_time_row& row, const choice_query& q,
                                                std::shared_ptr<const compile_job>& behind, std::string& why_not);

/// The note for a generic row that a compiled row could have replaced: why there is none; `failure` is the reason from
/// kernel_of. Else empty.
std::string why_none_compiled(const choice_query& q, const packed_layouts& layouts, const choice& c,
                              const std::string& failure = {});

}  // namespace tessera::detail
