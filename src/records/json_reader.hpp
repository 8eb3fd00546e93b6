// SPDX-License-Identifier: BSD-3-Clause
// A strict reader of JSON for record files: the library itself depends on no JSON package.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

struct json_value {
  enum class kind { null, boolean, number, text, list, object };
  kind is = kind::null;
  std::string text;                // of a string; of a number, true or false the text in the file
  std::vector<json_value> items;   // of a list; the values of an object
  std::vector<std::string> names;  // of an object

  /// The member of that name, null if there is none or this is not an object.
  const json_value* member(std::string_view name) const;
};

/// Throws tessera::error with the line of the fault if `text` is not JSON.
json_value parse_json(std::string_view text);

}  // namespace tessera::detail
