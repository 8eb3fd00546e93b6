// SPDX-License-Identifier: BSD-3-Clause
// The tuning that a size gets: as text with all steps of the look-up, and as values.
#pragma once

#include <optional>
#include <string>

#include <tessera/contraction.hpp>
#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/choose.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/operand.hpp>
#include <tessera/plan.hpp>

namespace tessera {

/// Several lines: the device, each source of records in the order of the look-up with its record for these sizes, the
/// row that runs, and the reason. A query with bytes > cache_bytes > 0 is for operands in memory; the device's name and
/// cache, where they are left out, are those of this machine.
std::string explain(const choice_query& query);

/// Of a contraction on a GPU, whatever memory its operands are in: whether it is large, so that it runs by a kernel of
/// general contractions, and why; its rows, columns and sum as merged indices; how many tiles there are, how many of
/// them rules leave out, do not fit the GPU or are slow by the model, and the cheapest ten with their modelled times,
/// with products of float rounded as `precision` allows. For an H200 where there is no GPU. Inputs first, the output
/// last; throws as make_plan_of.
std::string explain(const contraction& what, const operand* operands, int count,
                    product_precision precision = product_precision::exact);

/// The tuning that a plan would use if all rows were compiled, by the current records: those given at run time first.
/// Empty if the generic row runs.
std::optional<cpu_gemm_tuning> cpu_tuning_for(const choice_query& query);

/// The same for packed matrices of these layouts on a GPU, if plans may compile at run time.
std::optional<gpu_gemm_tuning> gpu_tuning_for(const choice_query& query, const packed_layouts& layouts);

}  // namespace tessera
