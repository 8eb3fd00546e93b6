// SPDX-License-Identifier: BSD-3-Clause
// What a general contraction makes of entries: nothing, or what a struct of functions says; types and functions of a
// kernel as one argument.
#pragma once

#include <tessera/gpu/detail/elements.cuh>

namespace tessera::device {

/// Entries as they are, multiplied and added. Structs of users' functions have the same members, made from their texts.
struct plain_functions {
  static constexpr bool is_plain_pair = true, left_is_plain = true, right_is_plain = true;

  template <class T>
  __device__ static T left(const T& x) {
    return x;
  }
  template <class T>
  __device__ static T right(const T& x) {
    return x;
  }
  template <class T>
  __device__ static T addend(const T& x) {
    return x;
  }
  template <class T>
  __device__ static T result(const T& x) {
    return x;
  }
  template <class T>
  __device__ static T multiply(const T& a, const T& b) {
    return a * b;
  }
  template <class T>
  __device__ static T add(const T& sum, const T& x) {
    return sum + x;
  }
  template <class T>
  __device__ static T neutral() {
    return T(0);
  }
};

/// Whether an operand's entries are used as they are. Structs say it by members of these names.
template <class Functions>
__host__ __device__ constexpr bool left_as_it_is() {
  if constexpr (requires { Functions::left_is_plain; })
    return Functions::left_is_plain;
  else
    return false;
}
template <class Functions>
__host__ __device__ constexpr bool right_as_it_is() {
  if constexpr (requires { Functions::right_is_plain; })
    return Functions::right_is_plain;
  else
    return false;
}

/// Whether the result's function is the user's own, which may not be able to take every number.
template <class Functions>
__host__ __device__ constexpr bool has_own_result() {
  return requires { Functions::result_is_own; };
}

/// The operands have changed places.
template <class Functions>
struct exchanged_functions : Functions {
  static constexpr bool left_is_plain = right_as_it_is<Functions>(), right_is_plain = left_as_it_is<Functions>();

  template <class T>
  __device__ static T left(const T& x) {
    return Functions::right(x);
  }
  template <class T>
  __device__ static T right(const T& x) {
    return Functions::left(x);
  }
  template <class T>
  __device__ static T multiply(const T& a, const T& b) {
    return Functions::multiply(b, a);
  }
};

/// Entries of operands are conjugated before everything else.
template <class Functions, bool left_conjugated, bool right_conjugated>
struct conjugated_functions : Functions {
  static constexpr bool left_is_plain = !left_conjugated && left_as_it_is<Functions>(),
                        right_is_plain = !right_conjugated && right_as_it_is<Functions>();

  template <class T>
  __device__ static T left(const T& x) {
    return Functions::left(taken_in<T, left_conjugated>(x));
  }
  template <class T>
  __device__ static T right(const T& x) {
    return Functions::right(taken_in<T, right_conjugated>(x));
  }
};

/// `zero_adds_nothing`: what is outside of the tensors may be read as 0. `scales`: alpha and beta apply; without it the
/// addend joins the sum.
template <class Addend, class Out, class Sum, class Functions, bool zero_adds_nothing_, bool scales_>
struct general_types {
  using addend = Addend;
  using out = Out;
  using sum = Sum;
  using functions = Functions;
  static constexpr bool zero_adds_nothing = zero_adds_nothing_, scales = scales_;
};

/// sum = sum + a b, for complex numbers by four multiply-adds.
template <class Functions, class T>
__device__ void accumulate(T& sum, const T& a, const T& b) {
  if constexpr (is_complex<T> && requires { Functions::is_plain_pair; }) {
    sum.re += a.re * b.re;
    sum.re -= a.im * b.im;
    sum.im += a.re * b.im;
    sum.im += a.im * b.re;
  } else {
    sum = Functions::add(sum, Functions::multiply(a, b));
  }
}

}  // namespace tessera::device
