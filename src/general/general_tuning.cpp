// SPDX-License-Identifier: BSD-3-Clause
// What tessera-tune asks about tiles.
#include <tessera/detail/general_tuning.hpp>

#include <tessera/detail/general_candidates.hpp>
#include <tessera/detail/general_draw.hpp>
#include <tessera/detail/general_records.hpp>

#include "gpu_rates.hpp"
#include "tile_choice.hpp"

namespace tessera {

using detail::general_kind, detail::general_tile;

general_proposals propose_general_tiles(const general_form& form, const general_kind& kind, std::string_view device,
                                        std::size_t count) {
  const detail::gpu_rates rates = with_workspace(detail::rates_of_device(device));
  const detail::general_candidates all = detail::candidates_of(form, rates, kind);
  general_proposals made{.tiles = {},
                         .enumerated = all.enumerated,
                         .by_rules = all.by_rules,
                         .by_hardware = all.by_hardware,
                         .by_model = all.by_model};
  for (const detail::general_candidate& c : detail::different_ones(all, form, count))
    made.tiles.push_back({c.tile, c.costs.seconds});
  return made;
}

general_proposals draw_general_tiles(const general_form& form, const general_kind& kind, std::string_view device,
                                     std::size_t count, std::uint64_t seed) {
  const detail::gpu_rates rates = detail::rates_of_device(device);
  const detail::drawn_tiles drawn = detail::draw_tiles(form, kind, rates, count, seed);
  general_proposals made;
  made.enumerated = detail::number_of_combinations(form);
  if (drawn.draws > 0) made.by_hardware = made.enumerated * (1 - drawn.fitting / drawn.draws);
  for (const general_tile& tile : drawn.found)
    made.tiles.push_back({tile, detail::cost_of(tile, form, rates, kind).seconds});
  return made;
}

std::string general_tile_text(const general_tile& tile, const general_form& form) {
  return detail::text_of(tile, form);
}
std::string general_form_text(const general_form& form) { return detail::text_of(form); }
std::string general_kind_text(const general_kind& kind) { return detail::text_of(kind); }
general_kind general_kind_of_plans(const general_kind& kind, const general_form& form) {
  device::device_info there;
  there.major = 9;
  return detail::kind_on(there, kind, form).value_or(kind);
}
general_kind exact_general_kind(scalar_type in, scalar_type out, scalar_type sum) {
  return detail::exact_kind(in, out, sum);
}
std::string_view general_kernel_hash() { return detail::general_source_hash(); }

general_present present_general_tile(const general_form& form, const general_kind& kind, std::string_view device) {
  const detail::gpu_rates rates = with_workspace(detail::rates_of_device(device));
  const detail::general_candidates all = detail::candidates_of(form, rates, kind);
  const double modelled = all.found.empty() ? 0 : all.found.front().costs.seconds;
  if (const auto recorded = detail::recorded_choice(form, kind, device, rates, modelled))
    return {recorded->tile, detail::cost_of(recorded->tile, form, rates, kind).seconds, recorded->source};
  return {all.found.empty() ? general_tile{} : all.found.front().tile, modelled, ""};
}

}  // namespace tessera
