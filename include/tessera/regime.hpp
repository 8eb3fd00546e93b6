// SPDX-License-Identifier: BSD-3-Clause
// Where the batch of a plan is between its runs, by name, and as the environment forces it.
#pragma once

#include <optional>
#include <string_view>

#include <tessera/detail/tuning.hpp>

namespace tessera {

/// The regime called "cache" or "stream"; empty for "auto", by the size of the operands. Throws for other names.
std::optional<memory_regime> regime_from_name(std::string_view name);

/// The regime that TESSERA_REGIME=cache|stream|auto in the environment forces for plans whose options have none; empty
/// for auto, and if it is not set. Throws for other values.
std::optional<memory_regime> regime_of_environment();

}  // namespace tessera
