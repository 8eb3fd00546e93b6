// SPDX-License-Identifier: BSD-3-Clause
// Watches the parser while it builds.
#include "store/parsed_json.hpp"

#include <set>
#include <vector>

#include <tessera/error.hpp>

namespace tessera::tune {

nlohmann::json parsed_json(const std::string& text) {
  using nlohmann::json;
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

}  // namespace tessera::tune
