// SPDX-License-Identifier: BSD-3-Clause
// The tile of a record, else the cheapest one by the model for the rates of a GPU.
#include "tile_choice.hpp"

#include <string>

#include <tessera/detail/general_records.hpp>
#include <tessera/gpu/detail/general/general_kernel.hpp>

#include "gpu_rates.hpp"

namespace tessera::detail {

std::optional<general_kind> kind_on(const device::device_info& gpu, general_kind kind, const general_form& form) {
  const int architecture = 10 * gpu.major + gpu.minor;
  const bool has_few_sums = kind.second.extent == 0 && has_shared_sums(form);
  if (has_few_sums || device::least_architecture(kind) > architecture) kind.by = general_by::fma;
  if (device::least_architecture(kind) > architecture) return std::nullopt;
  return kind;
}

std::optional<tile_choice> tile_for(const general_form& form, const general_kind& kind, const device::device_info& gpu,
                                    sums may_be) {
  const gpu_rates rates = may_be == sums::in_parts ? with_workspace(rates_of(gpu)) : rates_of(gpu);
  const general_candidates all = candidates_of(form, rates, kind);
  if (all.found.empty()) return std::nullopt;
  const general_candidate& best = all.found.front();
  if (const auto recorded = recorded_choice(form, kind, gpu.name, rates, best.costs.seconds))
    return tile_choice{recorded->tile, cost_of(recorded->tile, form, rates, kind), {recorded->source}};
  return tile_choice{
      best.tile, best.costs, {"cheapest of " + std::to_string(all.found.size()) + " tiles by the model"}};
}

}  // namespace tessera::detail
