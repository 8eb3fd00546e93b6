// SPDX-License-Identifier: BSD-3-Clause
// The tuning that a size gets: as text with all steps of the look-up, and as values.
#pragma once

#include <optional>
#include <string>

#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/choose.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/detail/tuning.hpp>

namespace tessera {

/// Several lines: the device, each source of records in the order of the look-up with its record for these sizes, the
/// row that runs, and the reason. A query with bytes > cache_bytes > 0 is for operands in memory; the device's name and
/// cache, where they are left out, are those of this machine.
std::string explain(const choice_query& query);

/// The tuning that a plan would use if all rows were compiled, by the current records: those given at run time first.
/// Empty if the generic row runs.
std::optional<cpu_gemm_tuning> cpu_tuning_for(const choice_query& query);

/// The same for packed matrices of these layouts on a GPU, if plans may compile at run time.
std::optional<gpu_gemm_tuning> gpu_tuning_for(const choice_query& query, const packed_layouts& layouts);

}  // namespace tessera
