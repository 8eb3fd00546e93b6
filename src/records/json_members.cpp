// SPDX-License-Identifier: BSD-3-Clause
// Reads members of JSON objects.
#include "json_members.hpp"

#include <charconv>

#include <tessera/error.hpp>

namespace tessera::detail::json_members {

using kind = json_value::kind;

std::string shown(const json_value& value) {
  constexpr std::size_t most = 60;
  std::string text = value.is == kind::list     ? "a list"
                     : value.is == kind::object ? "an object"
                     : value.is == kind::null   ? "null"
                     : value.is == kind::text   ? "'" + value.text + "'"
                                                : value.text;
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

const json_value& member(const json_value& object, std::string_view name, kind wanted, const char* what) {
  const json_value* found = object.member(name);
  if (found == nullptr) throw error(quoted(name) + " is missing");
  if (found->is != wanted) throw error(quoted(name) + " must be " + what + ", not " + shown(*found));
  return *found;
}

const std::string& text(const json_value& object, std::string_view name) {
  return member(object, name, kind::text, "a text").text;
}

std::string text_or_none(const json_value& object, std::string_view name) {
  return object.member(name) == nullptr ? "" : text(object, name);
}

index_t integer_in(const json_value& number, std::string_view name, index_t least, index_t most) {
  const std::string& digits = number.text;
  if (number.is != kind::number || digits.find_first_not_of("-0123456789") != std::string::npos)
    throw error(quoted(name) + " must be an integer, not " + shown(number));
  index_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc{} || value < least || value > most)
    throw error(quoted(name) + " is " + shown(number) + ", not an integer in " + std::to_string(least) + ".." +
                std::to_string(most));
  return value;
}

int integer(const json_value& object, std::string_view name, int least, int most) {
  return int(integer_in(member(object, name, kind::number, "an integer"), name, least, most));
}

int integer_or_zero(const json_value& object, std::string_view name, int most) {
  return object.member(name) == nullptr ? 0 : integer(object, name, 0, most);
}

bool flag_or_false(const json_value& object, std::string_view name) {
  return object.member(name) != nullptr && member(object, name, kind::boolean, "true or false").text == "true";
}

}  // namespace tessera::detail::json_members
