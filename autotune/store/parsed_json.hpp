// SPDX-License-Identifier: BSD-3-Clause
// JSON of files that anyone may have written.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tessera::tune {

/// Throws tessera::error saying what is wrong: no JSON, lists or objects 32 deep (what walks over them calls itself),
/// or a member that is there twice (readers differ in which one they take).
nlohmann::json parsed_json(const std::string& text);

}  // namespace tessera::tune
