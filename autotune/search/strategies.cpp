// SPDX-License-Identifier: BSD-3-Clause
// The table of strategies: a new one is a function and a row here.
#include "search/strategies.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

constexpr named_strategy table[] = {
    {"elimination", "the model's best and a few random ones; clearly worse ones are dropped round by round",
     elimination},
    {"exhaustive", "every candidate: slow, the reference for the others", exhaustive},
    {"model_first", "the candidates that the model ranks first", model_first},
    {"random", "a random share of the candidates, with a report of how rare good ones are", random}};

}  // namespace

std::span<const named_strategy> strategies() { return table; }

const named_strategy& strategy_named(std::string_view name) {
  std::string names;
  std::vector<std::string_view> known;
  for (const named_strategy& s : table) {
    if (s.name == name) return s;
    names += (names.empty() ? "" : ", ") + std::string(s.name);
    known.push_back(s.name);
  }
  throw error("there is no search strategy '" + std::string(name) + "'" + did_you_mean(name, known) +
              "; choose one of " + names);
}

}  // namespace tessera::tune
