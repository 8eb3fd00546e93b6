// SPDX-License-Identifier: BSD-3-Clause
// Scalar types by their bits: 16-bit ones by a table of the values of all patterns.
#include "entries.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace fuzz {

namespace {

template <class T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <class T>
void store(void* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

// A sign, `exponent` bits with this bias, the rest a fraction.
double value_of_half(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  const double one = exponent == 0 ? 0 : 1;
  return sign * std::ldexp(one + std::ldexp(double(fraction), -fraction_bits), (exponent == 0 ? 1 : exponent) - bias);
}

int exponent_bits_of(tessera_type type) { return type == TESSERA_F16 ? 5 : 8; }

// The first pattern of that value; small integers have one in both types.
std::uint16_t half_of(double value, tessera_type type) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double v = value_of_half(std::uint16_t(bits), exponent_bits_of(type));
    if (v == value || (std::isnan(value) && std::isnan(v))) return std::uint16_t(bits);
  }
  return 0;
}

constexpr int largest_small = 8;

std::uint16_t small_half_of(double value, tessera_type type) {
  struct table {
    std::uint16_t of[2 * largest_small + 2];
    explicit table(tessera_type type) {
      for (int i = -largest_small; i <= largest_small; ++i) of[i + largest_small] = half_of(i, type);
      of[2 * largest_small + 1] = half_of(std::numeric_limits<double>::quiet_NaN(), type);
    }
  };
  static const table f16(TESSERA_F16), bf16(TESSERA_BF16);
  const table& t = type == TESSERA_F16 ? f16 : bf16;
  return t.of[std::isnan(value) ? 2 * largest_small + 1 : int(value) + largest_small];
}

bool is_rounded_part(tessera_type type, double got, double exact) {
  if (type == TESSERA_F16 || type == TESSERA_BF16) {
    const double unit = type == TESSERA_F16 ? 0x1p-11 : 0x1p-8, largest = type == TESSERA_F16 ? 65504 : 1e38;
    if (std::abs(exact) > largest) return true;
    return std::abs(got - exact) <= unit * std::abs(exact);
  }
  return got == exact;
}

}  // namespace

std::size_t bytes_of(tessera_type type) {
  switch (type) {
    case TESSERA_F32: return 4;
    case TESSERA_F64: return 8;
    case TESSERA_C32: return 8;
    case TESSERA_C64: return 16;
    case TESSERA_I32: return 4;
    case TESSERA_I64: return 8;
    case TESSERA_F16:
    case TESSERA_I16:
    case TESSERA_BF16: return 2;
    default: return 0;
  }
}

bool is_complex(tessera_type type) { return type == TESSERA_C32 || type == TESSERA_C64; }

number read_entry(tessera_type type, const void* at) {
  const char* const second = static_cast<const char*>(at) + bytes_of(type) / 2;
  switch (type) {
    case TESSERA_F32: return double(load<float>(at));
    case TESSERA_F64: return load<double>(at);
    case TESSERA_C32: return {double(load<float>(at)), double(load<float>(second))};
    case TESSERA_C64: return {load<double>(at), load<double>(second)};
    default: return value_of_half(load<std::uint16_t>(at), exponent_bits_of(type));
  }
}

void write_entry(tessera_type type, void* at, number value) {
  char* const second = static_cast<char*>(at) + bytes_of(type) / 2;
  switch (type) {
    case TESSERA_F32: return store(at, float(value.real()));
    case TESSERA_F64: return store(at, value.real());
    case TESSERA_C32: return store(at, float(value.real())), store(second, float(value.imag()));
    case TESSERA_C64: return store(at, value.real()), store(second, value.imag());
    default: return store(at, small_half_of(value.real(), type));
  }
}

bool is_rounded(tessera_type type, number got, number exact) {
  return is_rounded_part(type, got.real(), exact.real()) && is_rounded_part(type, got.imag(), exact.imag());
}

}  // namespace fuzz
