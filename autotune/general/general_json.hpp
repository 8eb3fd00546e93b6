// SPDX-License-Identifier: BSD-3-Clause
// Contractions and tiles as JSON: between tuner and worker, and in records.
#pragma once

#include <nlohmann/json.hpp>

#include <tessera/detail/general_tile.hpp>

#include "general/general_ground.hpp"

namespace tessera::tune {

using nlohmann::ordered_json;

/// The members rows, columns, sum and batch of a record: digits as lists of an extent and the strides that there are.
ordered_json form_json(const general_form& form);
/// The member tile of a record.
ordered_json tile_json(const detail::general_tile& tile, const general_form& form);
detail::general_tile tile_in(const ordered_json& j, const general_form& form);

/// Of a request to the worker.
ordered_json problem_json(const general_problem& of);
general_problem problem_in(const ordered_json& j);

}  // namespace tessera::tune
