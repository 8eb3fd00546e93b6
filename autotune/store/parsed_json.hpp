// SPDX-License-Identifier: BSD-3-Clause
// JSON of untrusted files.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tessera::tune {

/// Throws tessera::error naming the fault: not JSON, lists or objects nested 32 deep (code that visits them is
/// recursive), or a duplicate member (readers differ in which one they use).
nlohmann::json parsed_json(const std::string& text);

/// A value of a file as text for a message: any value, shortened.
std::string shown(const nlohmann::json& found);

/// Members of an object: throw naming the member where it is absent or of another type.
std::string text_member(const nlohmann::json& object, const char* name);
long integer_member(const nlohmann::json& object, const char* name, long least, long most);

/// The same, with a value for an absent one.
std::string text_member(const nlohmann::json& object, const char* name, const std::string& absent);
bool flag_member(const nlohmann::json& object, const char* name);  // false where absent
double number_member(const nlohmann::json& object, const char* name, double absent);

}  // namespace tessera::tune
