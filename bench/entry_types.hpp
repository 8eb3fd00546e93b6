// SPDX-License-Identifier: BSD-3-Clause
// Dispatch from the entry type as a value to code for it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tessera/scalar.hpp>

namespace tessera::bench {

/// f(T()) with the entries' type T: floating, complex or an integer.
template <class F>
decltype(auto) with_type(scalar_type type, F f) {
  switch (type) {
    case scalar_type::f32: return f(float());
    case scalar_type::f64: return f(double());
    case scalar_type::c32: return f(complex<float>());
    case scalar_type::c64: return f(complex<double>());
    case scalar_type::f16: return f(half());
    case scalar_type::i16: return f(std::int16_t());
    case scalar_type::i32: return f(std::int32_t());
    case scalar_type::i64: return f(std::int64_t());
    case scalar_type::bf16: break;
  }
  return f(bfloat16());
}

/// An entry of T with these parts; a real one has the first.
template <class T>
T entry_of(double re, double im) {
  if constexpr (is_complex<T>)
    return T(complex<double>(re, im));
  else if constexpr (std::is_integral_v<T>)
    return T(re);
  else if constexpr (sizeof(T) == 2)
    return T(float(re));
  else
    return T(re);
}

}  // namespace tessera::bench
