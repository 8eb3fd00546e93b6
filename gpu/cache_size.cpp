// SPDX-License-Identifier: BSD-3-Clause
// Reads the sizes of caches from the environment.
#include "cache_size.hpp"

#include <charconv>
#include <cstdlib>

namespace tessera::device {

namespace {

cache_size size_in(const char* variable, std::uint64_t usual) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {usual, ""};
  const std::optional<std::uint64_t> bytes = bytes_in_text(value);
  if (bytes) return {*bytes, ""};
  return {usual, std::string(variable) + "=" + value + " is no number of bytes such as 500M or 2G"};
}

}  // namespace

std::optional<std::uint64_t> bytes_in_text(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc()) return std::nullopt;
  const std::string_view unit(end, std::size_t(text.data() + text.size() - end));
  int shift = 0;
  if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M" || unit == "m")
    shift = 20;
  else if (unit == "G" || unit == "g")
    shift = 30;
  else if (!unit.empty())
    return std::nullopt;
  if (number > UINT64_MAX >> shift) return std::nullopt;
  return number << shift;
}

cache_size disk_cache_size() { return size_in("TESSERA_CACHE_SIZE", std::uint64_t{1} << 30); }
cache_size loaded_code_size() { return size_in("TESSERA_LOADED_SIZE", std::uint64_t{256} << 20); }

}  // namespace tessera::device
