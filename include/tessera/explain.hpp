// SPDX-License-Identifier: BSD-3-Clause
// Which tuning a size gets, as text with what was looked at on the way, and as values.
#pragma once

#include <optional>
#include <string>

#include <tessera/choose.hpp>
#include <tessera/core/packed_layout.hpp>
#include <tessera/gpu_tuning.hpp>
#include <tessera/tuning.hpp>

namespace tessera {

/// Several lines: the device, each source of records in the order of the look-up with what it has for these sizes, the
/// row that runs, and why. A query with bytes > cache_bytes > 0 asks for operands from memory; the device's name and
/// cache, where they are left out, are those of this machine.
std::string explain(const choice_query& query);

/// The tuning that a plan takes where all rows are compiled, by the records in force: those given at run time first.
/// Nothing where the generic row runs.
std::optional<cpu_gemm_tuning> cpu_tuning_for(const choice_query& query);

/// The same of packed matrices on a GPU that lie so, where a plan may compile at run time.
std::optional<gpu_gemm_tuning> gpu_tuning_for(const choice_query& query, const packed_layouts& layouts);

}  // namespace tessera
