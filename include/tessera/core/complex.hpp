// SPDX-License-Identifier: BSD-3-Clause
// complex<T>: a complex number as two adjacent numbers, for every compiler, NVRTC included.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

namespace detail {

/// std::complex<T>, thrust::complex<T>, cuda::std::complex<T> and the like.
template <class Z, class T>
concept complex_number_of = requires(const Z& z) {
  requires same_type<typename Z::value_type, T>;
  Z(z.real(), z.imag());
};

}  // namespace detail

/// The layout is that of std::complex<T>, cuComplex and C's T _Complex: the real part, then the imaginary one, aligned
/// as T is. Such memory may be read and written as this type (see as_complex). Converts to and from std::complex<T>.
template <class T>
struct [[gnu::may_alias]] complex {
  using value_type = T;

  T re, im;

  complex() = default;
  constexpr complex(T real, T imaginary = T(0)) : re(real), im(imaginary) {}
  template <class Other>
  constexpr explicit complex(const complex<Other>& z) : re(T(z.re)), im(T(z.im)) {}
  template <detail::complex_number_of<T> Z>
  constexpr complex(const Z& z) : re(z.real()), im(z.imag()) {}
  template <detail::complex_number_of<T> Z>
  constexpr operator Z() const {
    return Z(re, im);
  }

  constexpr complex& operator+=(const complex& b) {
    re += b.re;
    im += b.im;
    return *this;
  }
  constexpr complex& operator*=(const complex& b) { return *this = *this * b; }

  friend constexpr complex operator+(const complex& a, const complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr complex operator-(const complex& a, const complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend constexpr complex operator-(const complex& a) { return {-a.re, -a.im}; }
  /// Four multiplications: infinities are not treated as C's Annex G requires.
  friend constexpr complex operator*(const complex& a, const complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend constexpr bool operator==(const complex& a, const complex& b) { return a.re == b.re && a.im == b.im; }
};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<complex<T>> = true;

template <class T>
constexpr complex<T> conj(const complex<T>& z) {
  return {z.re, -z.im};
}

/// sum += a b, as four fused operations where the target has them.
template <class T>
constexpr void add_product(complex<T>& sum, const complex<T>& a, const complex<T>& b) {
  sum.re += a.re * b.re;
  sum.re += -a.im * b.im;
  sum.im += a.re * b.im;
  sum.im += a.im * b.re;
}
template <class T>
constexpr void add_product(T& sum, T a, T b) {
  sum += a * b;
}

namespace detail {

template <class Z>
auto part_of_complex() {
  if constexpr (requires { typename Z::value_type; })
    return typename Z::value_type();
  else
    return decltype(Z::x)();
}

}  // namespace detail

/// Memory of std::complex<T>, thrust::complex<T>, cuComplex or cuDoubleComplex as memory of complex<T>: the pointer for
/// a view, view(as_complex(pointer), of_size(5, 3)).
template <class Z>
auto as_complex(Z* data) {
  using number = decltype(detail::part_of_complex<Z>());
  static_assert(sizeof(Z) == sizeof(complex<number>), "tessera: as_complex takes two adjacent numbers");
  return reinterpret_cast<complex<number>*>(data);
}
template <class Z>
auto as_complex(const Z* data) {
  using number = decltype(detail::part_of_complex<Z>());
  static_assert(sizeof(Z) == sizeof(complex<number>), "tessera: as_complex takes two adjacent numbers");
  return reinterpret_cast<const complex<number>*>(data);
}

}  // namespace tessera
