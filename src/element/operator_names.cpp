// SPDX-License-Identifier: BSD-3-Clause
// Finds built-in operators by their names.
#include <tessera/element/operator_names.hpp>

#include <algorithm>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

namespace tessera {

std::optional<operator_kind> operator_from_name(std::string_view name) {
  for (const operator_kind kind : all_operator_kinds)
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

std::vector<std::string_view> names_of_operators() { return {std::begin(operator_names), std::end(operator_names)}; }

std::string list_of_operators() {
  std::string list;
  for (const std::string_view name : operator_names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

std::vector<operator_kind> operators_from_list(std::string_view list) {
  std::vector<operator_kind> kinds;
  const auto add = [&](operator_kind kind) {
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  };
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::string_view name = list.substr(begin, list.find(',', begin) - begin);
    begin += name.size() + 1;
    if (name == "all") {
      for (const operator_kind kind : all_operator_kinds) add(kind);
    } else if (const auto kind = operator_from_name(name)) {
      add(*kind);
    } else {
      std::vector<std::string_view> known = names_of_operators();
      known.push_back("all");
      throw error(
          "'" + std::string(name) + "'" + did_you_mean(name, known) + " is none of " + list_of_operators() + " and all",
          status::invalid_argument);
    }
  }
  return kinds;
}

}  // namespace tessera
