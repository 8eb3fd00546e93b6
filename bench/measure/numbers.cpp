// SPDX-License-Identifier: BSD-3-Clause
// Reads numbers strictly: std::stod and std::atoi accept "infs", "0x2" and "5 or so".
#include "measure/numbers.hpp"

#include <charconv>
#include <cstdio>

namespace tessera::bench {

namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text, Number least, Number most) {
  Number value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  // NaN is not within any bounds.
  const bool good = read.ec == std::errc{} && read.ptr == text.data() + text.size() && value >= least && value <= most;
  return good ? std::optional(value) : std::nullopt;
}

std::string named(std::string_view text) {
  constexpr std::size_t most = 40;
  return "'" + std::string(text.substr(0, most)) + (text.size() > most ? "...'" : "'");
}

}  // namespace

std::optional<double> real_in(std::string_view text, double least, double most) {
  return number_in<double>(text, least, most);
}

std::optional<long long> integer_in(std::string_view text, long long least, long long most) {
  return number_in<long long>(text, least, most);
}

std::string why_no_real(std::string_view text, double least, double most) {
  char bounds[80];
  std::snprintf(bounds, sizeof bounds, "from %g to %g", least, most);
  return named(text) + " is not a number " + bounds;
}

std::string why_no_integer(std::string_view text, long long least, long long most) {
  return named(text) + " is not an integer from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace tessera::bench
