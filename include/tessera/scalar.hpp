// SPDX-License-Identifier: BSD-3-Clause
// The scalar types that compiled kernels know, as values.
#pragma once

#include <cstddef>

namespace tessera {

enum class scalar_type { f32, f64 };

template <class T>
inline constexpr bool is_kernel_scalar = false;
template <>
inline constexpr bool is_kernel_scalar<float> = true;
template <>
inline constexpr bool is_kernel_scalar<double> = true;

template <class T>
  requires is_kernel_scalar<T>
inline constexpr scalar_type scalar_of = sizeof(T) == 4 ? scalar_type::f32 : scalar_type::f64;

constexpr std::size_t size_of(scalar_type type) { return type == scalar_type::f32 ? 4 : 8; }
constexpr const char* name_of(scalar_type type) { return type == scalar_type::f32 ? "f32" : "f64"; }

}  // namespace tessera
