// SPDX-License-Identifier: BSD-3-Clause
// Memory regimes by name, and the one of the environment.
#include <tessera/regime.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

namespace tessera {

namespace {

constexpr const char* by_size = "auto";

std::optional<memory_regime> known_regime(std::string_view name, const std::string& where) {
  if (name == by_size) return std::nullopt;
  std::vector<std::string_view> known{by_size};
  for (const memory_regime r : {memory_regime::cache, memory_regime::stream}) {
    if (name == name_of(r)) return r;
    known.emplace_back(name_of(r));
  }
  throw error(where + ": no memory regime is called '" + std::string(name) + "'" + did_you_mean(name, known) +
              "; known: cache, stream, auto");
}

}  // namespace

std::optional<memory_regime> regime_from_name(std::string_view name) { return known_regime(name, "regime"); }

std::optional<memory_regime> regime_of_environment() {
  const char* forced = std::getenv("TESSERA_REGIME");
  if (forced == nullptr || *forced == 0) return std::nullopt;
  return known_regime(forced, std::string("plan: TESSERA_REGIME=") + forced);
}

}  // namespace tessera
