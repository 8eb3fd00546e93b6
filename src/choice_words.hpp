// SPDX-License-Identifier: BSD-3-Clause
// Choosing with a record file that the program was given, and the texts for choices and their reasons.
#pragma once

#include <functional>
#include <string>

#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/detail/choose.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/detail/tuning_text.hpp>

#include "records/records_overlay.hpp"

namespace tessera::detail {

/// "5x3x4"; 0 is any.
std::string size_text(const product_size& s);

/// " NVIDIA H200": the device of a record file; empty for no_origin.
std::string device_text(int origin);
/// The note for a record that was measured with other kernels; empty for the others.
constexpr const char* stale_note(bool stale) { return stale ? "measured with an earlier version of the kernels" : ""; }

/// The compiled row of a record, null where this build left it out (TESSERA_ROWS=smoke).
const gemm_row* row_of(const isa_rows& rows, const cpu_gemm_record& record);

/// The query with the name and the cache of this machine's CPU or GPU.
choice_query on_this_machine(choice_query q);

/// `choose`; but if the overlay (may be null) has a record of the size, the record whose tuning is closest to it among
/// those that `is_compiled`.
choice choose_with(const choice_query& q, const overlay* over, const std::function<bool(int record)>& is_compiled);

/// "record of this device; measured with operands in cache", "nearest record 7x7x7 of AMD EPYC ..."
tuning_source because(const choice& c, const choice_query& q, const overlay* over);

}  // namespace tessera::detail
