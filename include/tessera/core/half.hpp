// SPDX-License-Identifier: BSD-3-Clause
// half and bfloat16: 16-bit numbers for storage. Arithmetic is in float, to which both convert exactly.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

namespace detail {

/// `bits` without its last `count` ones, rounded to the nearest, ties to even.
constexpr unsigned rounded_off(unsigned bits, int count) {
  const unsigned kept = bits >> count, rest = bits & ((1u << count) - 1), middle = 1u << (count - 1);
  return kept + unsigned(rest > middle || (rest == middle && (kept & 1) != 0));
}

constexpr unsigned short half_from(float value) {
  const unsigned all = __builtin_bit_cast(unsigned, value), sign = all >> 16 & 0x8000u, bits = all & 0x7fffffffu;
  constexpr unsigned infinite = 0x7f800000u, too_large = 0x477ff000u, least_normal = 0x38800000u;
  if (bits > infinite) return static_cast<unsigned short>(sign | 0x7e00u | (bits >> 13 & 0x3ffu));
  if (bits >= too_large) return static_cast<unsigned short>(sign | 0x7c00u);
  // The exponent biases differ by 112. A carry out of the fraction correctly increments the exponent.
  if (bits >= least_normal) return static_cast<unsigned short>(sign | rounded_off(bits - (112u << 23), 13));
  const int exponent = int(bits >> 23);
  if (exponent < 102) return static_cast<unsigned short>(sign);  // less than half of the least subnormal
  return static_cast<unsigned short>(sign | rounded_off((bits & 0x7fffffu) | 0x800000u, 126 - exponent));
}

constexpr float float_from_half(unsigned short half) {
  const unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u, fraction = half & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = float(int(fraction)) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const unsigned shifted = exponent == 31 ? 0x7f800000u : (exponent + 112) << 23;
  return __builtin_bit_cast(float, sign | shifted | fraction << 13);
}

constexpr unsigned short bfloat16_from(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  // A carry out of the fraction would turn a NaN into an infinity.
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>(bits >> 16 | 0x40u);
  return static_cast<unsigned short>(rounded_off(bits, 16));
}

constexpr float float_from_bfloat16(unsigned short value) { return __builtin_bit_cast(float, unsigned(value) << 16); }

}  // namespace detail

/// IEEE binary16: 5 bits of exponent, 10 of fraction; the layout of __half and _Float16. Rounded to the nearest, ties
/// to even; subnormal numbers, infinities and NaN as IEEE has them.
struct [[gnu::may_alias]] half {
  unsigned short bits;

  half() = default;
  constexpr explicit half(float value) : bits(detail::half_from(value)) {}
  constexpr operator float() const { return detail::float_from_half(bits); }

  static constexpr half of_bits(unsigned short bits) {
    half h(0.0f);
    h.bits = bits;
    return h;
  }
};

/// The upper half of a float: 8 bits of exponent, 7 of fraction; the layout of __nv_bfloat16. Rounded as half is.
struct [[gnu::may_alias]] bfloat16 {
  unsigned short bits;

  bfloat16() = default;
  constexpr explicit bfloat16(float value) : bits(detail::bfloat16_from(value)) {}
  constexpr operator float() const { return detail::float_from_bfloat16(bits); }

  static constexpr bfloat16 of_bits(unsigned short bits) {
    bfloat16 b(0.0f);
    b.bits = bits;
    return b;
  }
};

namespace detail {

template <class To, class From>
auto as_16_bits(From* data) {
  static_assert(sizeof(From) == 2, "tessera: as_half and as_bfloat16 take 16-bit numbers");
  if constexpr (requires(From & f) { f = From(f); })
    return reinterpret_cast<To*>(data);
  else
    return reinterpret_cast<const To*>(data);
}

}  // namespace detail

/// Memory of __half, _Float16 or 16-bit integers as memory of half: the pointer for a view.
template <class From>
auto as_half(From* data) {
  return detail::as_16_bits<half>(data);
}
/// The same for __nv_bfloat16.
template <class From>
auto as_bfloat16(From* data) {
  return detail::as_16_bits<bfloat16>(data);
}

}  // namespace tessera
