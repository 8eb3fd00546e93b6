// SPDX-License-Identifier: BSD-3-Clause
// Range, spacing and rounding of formats.
#include "models/number_formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

bool has_infinities(const number_format& of) { return std::string_view(of.name) != "f8-e4m3"; }

// Between neighbouring numbers of the size of the value; that of the smallest normal ones below these.
double spacing_at(const number_format& of, double value) {
  const int exponent = std::max(std::ilogb(value), 1 - exponent_bias(of));
  return std::ldexp(1.0, exponent - of.fraction_bits);
}

bool is_kept_as_it_is(double value) { return value == 0 || !std::isfinite(value); }

}  // namespace

const number_format& format_called(std::string_view name) {
  std::string known;
  for (const number_format& f : number_formats) {
    if (name == f.name) return f;
    known += (known.empty() ? "" : ", ") + std::string(f.name);
  }
  throw error("number format: '" + std::string(name) + "' is none of " + known);
}

int total_bits(const number_format& of) { return 1 + of.exponent_bits + of.fraction_bits; }

int exponent_bias(const number_format& of) { return (1 << (of.exponent_bits - 1)) - 1; }

double largest_number(const number_format& of) {
  if (!has_infinities(of))
    throw error("number format: " + std::string(of.name) + " has no infinities, its largest number is another one");
  return (2 - spacing_at_one(of)) * std::ldexp(1.0, exponent_bias(of));
}

double smallest_normal(const number_format& of) { return std::ldexp(1.0, 1 - exponent_bias(of)); }

double spacing_at_one(const number_format& of) { return std::ldexp(1.0, -of.fraction_bits); }

double unit_roundoff(const number_format& of) { return spacing_at_one(of) / 2; }

double rounded_to(const number_format& of, double value) {
  if (is_kept_as_it_is(value)) return value;
  const double spacing = spacing_at(of, value), rounded = std::nearbyint(value / spacing) * spacing;
  const bool is_beyond = std::abs(rounded) > largest_number(of);
  return is_beyond ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

double truncated_to(const number_format& of, double value) {
  if (is_kept_as_it_is(value)) return value;
  const double spacing = spacing_at(of, value), truncated = std::trunc(value / spacing) * spacing;
  return std::abs(truncated) > largest_number(of) ? std::copysign(largest_number(of), value) : truncated;
}

stored_fields fields_of(const number_format& of, double value) {
  const bool is_normal =
      std::isfinite(value) && std::abs(value) >= smallest_normal(of) && value == rounded_to(of, value);
  if (!is_normal) refuse("number format", "the value", value, (std::string("a normal number of ") + of.name).c_str());
  const int exponent = std::ilogb(value);
  const double fraction = std::abs(value) / std::ldexp(1.0, exponent) - 1;
  return {std::signbit(value) ? 1 : 0, exponent + exponent_bias(of),
          static_cast<long long>(std::ldexp(fraction, of.fraction_bits))};
}

}  // namespace tessera::bench::models
