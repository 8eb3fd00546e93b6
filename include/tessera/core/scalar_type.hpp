// SPDX-License-Identifier: BSD-3-Clause
// The entry types of compiled kernels, as values.
#pragma once

#include <tessera/core/complex.hpp>
#include <tessera/core/half.hpp>

namespace tessera {

/// c32 and c64 are complex<float> and complex<double>.
enum class scalar_type { f32, f64, c32, c64, f16, bf16 };

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

}  // namespace detail

template <class T>
inline constexpr bool is_kernel_scalar = detail::scalar_value<T>::is_known;

template <class T>
  requires is_kernel_scalar<T>
inline constexpr scalar_type scalar_of = detail::scalar_value<T>::value;

/// The types of compiled rows, tunings and SIMD kernels.
template <class T>
inline constexpr bool is_real_scalar = same_type<T, float> || same_type<T, double>;

constexpr bool is_complex_type(scalar_type type) { return type == scalar_type::c32 || type == scalar_type::c64; }

constexpr decltype(sizeof(0)) size_of(scalar_type type) {
  switch (type) {
    case scalar_type::f32: return 4;
    case scalar_type::f64:
    case scalar_type::c32: return 8;
    case scalar_type::c64: return 16;
    case scalar_type::f16:
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
    case scalar_type::bf16: break;
  }
  return "bf16";
}

}  // namespace tessera
