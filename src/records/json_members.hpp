// SPDX-License-Identifier: BSD-3-Clause
// Members of JSON objects in record files, with errors that name them.
#pragma once

#include <string>
#include <string_view>

#include <tessera/core/types.hpp>

#include "json_reader.hpp"

namespace tessera::detail::json_members {

/// A value as text for errors, cut where it is long: a file may have any content.
std::string shown(const json_value& value);
/// In quotation marks.
std::string quoted(std::string_view name);

/// All of these throw tessera::error naming the member where it is missing or is something else.
const json_value& member(const json_value& object, std::string_view name, json_value::kind wanted, const char* what);
const std::string& text(const json_value& object, std::string_view name);
std::string text_or_none(const json_value& object, std::string_view name);
int integer(const json_value& object, std::string_view name, int least, int most);
int integer_or_zero(const json_value& object, std::string_view name, int most);
/// Of a number that is no member: `name` is for the error.
index_t integer_in(const json_value& number, std::string_view name, index_t least, index_t most);
bool flag_or_false(const json_value& object, std::string_view name);

}  // namespace tessera::detail::json_members
