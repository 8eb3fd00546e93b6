// SPDX-License-Identifier: BSD-3-Clause
// Records as JSON and back, with every check; docs/reference/records.md has the schema.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "record.hpp"

namespace tessera::tune {

using ordered_json = nlohmann::ordered_json;

/// An axis of the tuning struct of a target, and its initial value.
struct axis_start {
  std::string name;
  int initial = 0;
};
std::vector<axis_start> axes_of_target(target on);
std::vector<axis_start> axes_of_elements(target on);

/// {"row_vectors": 2, ...}: every axis.
ordered_json tuning_json(const config& c, const std::vector<axis_start>& axes);
/// Axes that are absent have their initial value. Throws naming an unknown one, and those that are known.
config config_of(const nlohmann::json& tuning, const std::vector<axis_start>& axes, int most = 4096);

ordered_json json_of(const record& r);
/// Throws saying what is wrong, without the file's name.
record record_of(const nlohmann::json& j, target on, const std::vector<axis_start>& axes);

/// What a file holds, for a message: anything, of any length.
std::string shown(const nlohmann::json& found);

/// Members of an object: throw naming the member where it is absent or of another type.
std::string text_member(const nlohmann::json& object, const char* name);
long integer_member(const nlohmann::json& object, const char* name, long least, long most);

/// The same, with a value for an absent one.
std::string text_member(const nlohmann::json& object, const char* name, const std::string& absent);
bool flag_member(const nlohmann::json& object, const char* name);  // false where absent
/// The text as one of two words: whether it is the second.
bool is_second(const nlohmann::json& object, const char* name, const char* first, const char* second);
double number_member(const nlohmann::json& object, const char* name, double absent);

/// The members that say what a record of an element operator is for.
ordered_json element_case_json(const tuning_case& c);
/// Throws where they contradict each other: facts that are not those of the operator.
tuning_case element_case_of(const nlohmann::json& j, target on);

}  // namespace tessera::tune
