// SPDX-License-Identifier: BSD-3-Clause
// Functions of an instruction set that convert runs of entries to numbers of another type and back, and that write
// complex numbers as real matrices.
#pragma once

#include <tessera/core/scalar_type.hpp>

namespace tessera {

/// `count` runs of `length` adjacent entries, `from` and `to` apart.
struct entry_runs {
  index_t length, count, from, to;
};

/// to[i] = To(from[i]). Accesses the entries of the runs only.
template <class From, class To>
using convert_function = void (*)(const From* from, To* to, const entry_runs& runs);

/// Multiplication by v = alpha a as a real matrix: of a run of `length` numbers a, 2 length reals (re v, im v) and then
/// as many of (-im v, re v), the second ones with minus where the other side is conjugated.
template <class T>
struct expansion {
  complex<T> alpha = T(1);
  bool conjugated = false;        // of a
  bool other_conjugated = false;  // of the other side, which is not touched

  constexpr bool is_scaled() const { return !(alpha == complex<T>(T(1))); }
  constexpr complex<T> first(const complex<T>& a) const {
    const complex<T> v = conjugated ? conj(a) : a;
    return is_scaled() ? alpha * v : v;
  }
  constexpr complex<T> second(const complex<T>& v) const {
    return other_conjugated ? complex<T>(v.im, -v.re) : complex<T>(-v.im, v.re);
  }
};

/// Reads runs of `length` complex numbers, and writes 4 length reals for each. May write up to a cache line behind the
/// last one, so runs follow each other in ascending order.
template <class T>
using expand_function = void (*)(const T* from, T* to, const entry_runs& runs, const expansion<T>& by);

/// The functions of an instruction set; null for a type that it has no kernels of.
struct entry_functions {
  convert_function<half, float> from_half = nullptr;
  convert_function<float, half> to_half = nullptr;
  convert_function<bfloat16, float> from_bfloat16 = nullptr;
  convert_function<float, bfloat16> to_bfloat16 = nullptr;
  expand_function<float> expand_f32 = nullptr;
  convert_function<float, double> from_float = nullptr;
  convert_function<double, float> to_float = nullptr;
  expand_function<double> expand_f64 = nullptr;

  /// Adds those that the other has: of a type.
  constexpr void join(const entry_functions& other) {
    const auto take = [](auto& to, auto from) { to = from != nullptr ? from : to; };
    take(from_half, other.from_half);
    take(to_half, other.to_half);
    take(from_bfloat16, other.from_bfloat16);
    take(to_bfloat16, other.to_bfloat16);
    take(expand_f32, other.expand_f32);
    take(from_float, other.from_float);
    take(to_float, other.to_float);
    take(expand_f64, other.expand_f64);
  }
  template <class From, class To>
  constexpr convert_function<From, To> convert() const {
    if constexpr (same_type<From, To>)
      return nullptr;
    else if constexpr (same_type<From, half>)
      return from_half;
    else if constexpr (same_type<To, half>)
      return to_half;
    else if constexpr (same_type<From, bfloat16>)
      return from_bfloat16;
    else if constexpr (same_type<To, bfloat16>)
      return to_bfloat16;
    else if constexpr (same_type<To, double>)
      return from_float;
    else
      return to_float;
  }
  template <class T>
  constexpr expand_function<T> expand() const {
    if constexpr (same_type<T, float>)
      return expand_f32;
    else
      return expand_f64;
  }
};

}  // namespace tessera
