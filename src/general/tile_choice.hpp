// SPDX-License-Identifier: BSD-3-Clause
// The kind and the tile of a general contraction on a GPU.
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

/// The kind by what multiplies on such a GPU: by multiply-adds where it lacks the tensor cores, and for at most
/// most_of_shared_sum results of a product, as tensor cores would compute many more. Empty where the GPU has neither.
std::optional<general_kind> kind_on(const device::device_info& gpu, general_kind kind, const general_form& form);

/// Whether the parts of a sum may come to a workspace.
enum class sums { in_parts, whole };

/// The tile that a plan of this form compiles on such a GPU. Empty where no block fits. The search takes up to a tenth
/// of a second.
std::optional<tile_choice> tile_for(const general_form& form, const general_kind& kind, const device::device_info& gpu,
                                    sums may_be = sums::in_parts);

}  // namespace tessera::detail
