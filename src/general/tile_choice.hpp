// SPDX-License-Identifier: BSD-3-Clause
// The tile of a general contraction on a GPU.
#pragma once

#include <optional>

#include <tessera/detail/general_candidates.hpp>
#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::detail {

struct tile_choice {
  general_tile tile;
  general_costs costs;
  tuning_source because;
};

/// The tile that a plan of this form compiles on such a GPU. Empty where no block fits. The search takes up to a tenth
/// of a second.
std::optional<tile_choice> tile_for(const general_form& form, const general_kind& kind, const device::device_info& gpu);

}  // namespace tessera::detail
