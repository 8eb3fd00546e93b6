// SPDX-License-Identifier: BSD-3-Clause
// The types of entries, as values.
#pragma once

#include <tessera/core/complex.hpp>
#include <tessera/core/half.hpp>

namespace tessera {

/// c32 and c64 are complex<float> and complex<double>. Integers are of 16, 32 and 64 bits, with a sign.
enum class scalar_type { f32, f64, c32, c64, f16, bf16, i16, i32, i64 };

namespace detail {

template <class T>
struct scalar_value {
  static constexpr bool is_known = false;
};
template <scalar_type Value>
struct known_scalar {
  static constexpr bool is_known = true;
  static constexpr scalar_type value = Value;
};
template <>
struct scalar_value<float> : known_scalar<scalar_type::f32> {};
template <>
struct scalar_value<double> : known_scalar<scalar_type::f64> {};
template <>
struct scalar_value<complex<float>> : known_scalar<scalar_type::c32> {};
template <>
struct scalar_value<complex<double>> : known_scalar<scalar_type::c64> {};
template <>
struct scalar_value<half> : known_scalar<scalar_type::f16> {};
template <>
struct scalar_value<bfloat16> : known_scalar<scalar_type::bf16> {};
template <>
struct scalar_value<short> : known_scalar<scalar_type::i16> {};
template <>
struct scalar_value<int> : known_scalar<scalar_type::i32> {};
template <>
struct scalar_value<long> : known_scalar<sizeof(long) == 8 ? scalar_type::i64 : scalar_type::i32> {};
template <>
struct scalar_value<long long> : known_scalar<scalar_type::i64> {};

}  // namespace detail

constexpr bool is_integer_type(scalar_type type) {
  return type == scalar_type::i16 || type == scalar_type::i32 || type == scalar_type::i64;
}
constexpr bool is_complex_type(scalar_type type) { return type == scalar_type::c32 || type == scalar_type::c64; }

/// Types that a plan's operands may have.
template <class T>
inline constexpr bool is_entry_scalar = detail::scalar_value<T>::is_known;

template <class T>
  requires is_entry_scalar<T>
inline constexpr scalar_type scalar_of = detail::scalar_value<T>::value;

/// Types of entries that there are compiled kernels for: not integers.
template <class T>
inline constexpr bool is_kernel_scalar = false;
template <class T>
  requires is_entry_scalar<T>
inline constexpr bool is_kernel_scalar<T> = !is_integer_type(scalar_of<T>);

/// The types of compiled rows, tunings and SIMD kernels.
template <class T>
inline constexpr bool is_real_scalar = same_type<T, float> || same_type<T, double>;

constexpr decltype(sizeof(0)) size_of(scalar_type type) {
  switch (type) {
    case scalar_type::f32:
    case scalar_type::i32: return 4;
    case scalar_type::f64:
    case scalar_type::i64:
    case scalar_type::c32: return 8;
    case scalar_type::c64: return 16;
    case scalar_type::f16:
    case scalar_type::i16:
    case scalar_type::bf16: break;
  }
  return 2;
}

constexpr const char* name_of(scalar_type type) {
  switch (type) {
    case scalar_type::f32: return "f32";
    case scalar_type::f64: return "f64";
    case scalar_type::c32: return "c32";
    case scalar_type::c64: return "c64";
    case scalar_type::f16: return "f16";
    case scalar_type::i16: return "i16";
    case scalar_type::i32: return "i32";
    case scalar_type::i64: return "i64";
    case scalar_type::bf16: break;
  }
  return "bf16";
}

}  // namespace tessera
