// SPDX-License-Identifier: BSD-3-Clause
// JSON of files that anyone may have written.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tessera::tune {

/// Throws tessera::error saying what is wrong: no JSON, lists or objects 32 deep (what walks over them calls itself),
/// or a member that is there twice (readers differ in which one they take).
nlohmann::json parsed_json(const std::string& text);

/// What a file holds, for a message: anything, of any length.
std::string shown(const nlohmann::json& found);

/// Members of an object: throw naming the member where it is absent or of another type.
std::string text_member(const nlohmann::json& object, const char* name);
long integer_member(const nlohmann::json& object, const char* name, long least, long most);

/// The same, with a value for an absent one.
std::string text_member(const nlohmann::json& object, const char* name, const std::string& absent);
bool flag_member(const nlohmann::json& object, const char* name);  // false where absent
double number_member(const nlohmann::json& object, const char* name, double absent);

}  // namespace tessera::tune
