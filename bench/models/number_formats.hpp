// SPDX-License-Identifier: BSD-3-Clause
// Binary floating-point formats by their bits: range, spacing, and the number of a format that a value becomes.
#pragma once

#include <array>
#include <string_view>

namespace tessera::bench::models {

/// (-1)^s 2^(e - bias) (1 + f): a sign, `exponent_bits` of e and `fraction_bits` of f.
struct number_format {
  const char* name;
  int exponent_bits, fraction_bits;
};

inline constexpr std::array<number_format, 7> number_formats{{
    {"f64", 11, 52},
    {"f32", 8, 23},
    {"tf32", 8, 10},
    {"bf16", 8, 7},
    {"f16", 5, 10},
    {"f8-e5m2", 5, 2},
    {"f8-e4m3", 4, 3},
}};

/// Throws naming the known ones.
const number_format& format_called(std::string_view name);

int total_bits(const number_format& of);

/// What is added to the exponent when it is stored: 2^(exponent_bits - 1) - 1.
int exponent_bias(const number_format& of);

/// The largest number where the largest exponent is that of infinities, as it is in all but f8-e4m3, which is refused.
double largest_number(const number_format& of);
double smallest_normal(const number_format& of);

/// From 1 to the next larger number: 2^-fraction_bits, which is 2^-(p - 1) of p significant bits.
double spacing_at_one(const number_format& of);

/// The largest relative error of rounding to nearest: half of that, 2^-p.
double unit_roundoff(const number_format& of);

/// To the nearest number of the format, to the one with an even last bit where two are as near; infinite beyond the
/// largest.
double rounded_to(const number_format& of, double value);

/// Towards 0, as matrix instructions read float operands in tf32.
double truncated_to(const number_format& of, double value);

/// The fields that a normal number is stored as.
struct stored_fields {
  int sign = 0, exponent = 0;
  long long fraction = 0;
};

/// Throws where the value is no normal number of the format.
stored_fields fields_of(const number_format& of, double value);

}  // namespace tessera::bench::models
