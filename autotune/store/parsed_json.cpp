// SPDX-License-Identifier: BSD-3-Clause
// Checks JSON while it is parsed, and reads members by name.
#include "store/parsed_json.hpp"

#include <set>
#include <vector>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

using nlohmann::json;

const json& member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) throw error(std::string("\"") + name + "\" is missing");
  return *found;
}

[[noreturn]] void wrong_type(const char* name, const char* wanted, const json& found) {
  throw error(std::string("\"") + name + "\" must be " + wanted + ", not " + shown(found));
}

}  // namespace

nlohmann::json parsed_json(const std::string& text) {
  constexpr int deepest = 32;
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const auto look = [&](int depth, json::parse_event_t event, json& parsed) {
    using seen = json::parse_event_t;
    if (event == seen::object_start || event == seen::array_start) {
      if (depth >= deepest) throw error("lists and objects are nested more than " + std::to_string(deepest) + " deep");
      if (event == seen::object_start) names.emplace_back();
    } else if (event == seen::object_end) {
      names.pop_back();
    } else if (event == seen::key && !names.back().insert(parsed.get<std::string>()).second) {
      throw error("the member " + parsed.dump() + " is there twice");
    }
    return true;
  };
  try {
    return json::parse(text, look);
  } catch (const json::exception& wrong) {
    throw error(std::string("not valid JSON, perhaps cut off: ") + wrong.what());
  }
}

std::string shown(const json& found) {
  constexpr std::size_t most = 60;
  const std::string text = found.is_string() ? "'" + found.get<std::string>() + "'"
                                             : found.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

std::string text_member(const json& object, const char* name) {
  const json& value = member(object, name);
  if (!value.is_string()) wrong_type(name, "a text", value);
  return value.get<std::string>();
}

std::string text_member(const json& object, const char* name, const std::string& absent) {
  return object.contains(name) ? text_member(object, name) : absent;
}

bool flag_member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return false;
  if (!found->is_boolean()) wrong_type(name, "true or false", *found);
  return found->get<bool>();
}

long integer_member(const json& object, const char* name, long least, long most) {
  const json& value = member(object, name);
  if (!value.is_number_integer()) wrong_type(name, "an integer", value);
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(most);
  if (too_large || value.get<long>() < least)
    throw error(std::string("\"") + name + "\" is " + shown(value) + ", not in " + std::to_string(least) + ".." +
                std::to_string(most));
  return value.get<long>();
}

double number_member(const json& object, const char* name, double absent) {
  const auto found = object.find(name);
  if (found == object.end()) return absent;
  if (!found->is_number()) wrong_type(name, "a number", *found);
  return found->get<double>();
}

}  // namespace tessera::tune
