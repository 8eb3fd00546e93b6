// SPDX-License-Identifier: BSD-3-Clause
// Built-in element operators by name: for options, records and languages that have no enumeration.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tessera/element/operator_kind.hpp>

namespace tessera {

std::optional<operator_kind> operator_from_name(std::string_view name);

std::vector<std::string_view> names_of_operators();
/// "mass, diffusion, ...".
std::string list_of_operators();

/// Of a list as "mass,diffusion" or "all", each once. Throws tessera::error with what is unknown.
std::vector<operator_kind> operators_from_list(std::string_view list);

}  // namespace tessera
