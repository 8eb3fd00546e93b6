// SPDX-License-Identifier: BSD-3-Clause
// The functions of core/math.hpp, of numbers and of the lanes of an instruction set, on arrays.
#pragma once

#include <tessera/core/math.hpp>
#include <tessera/target.hpp>

namespace tessera::testing {

/// Calls that a user's function may write, with S a number or a vector of lanes.
struct calls {
  template <class S>
  static constexpr S square_root(const S& x, const S&) {
    using tessera::sqrt;
    return sqrt(x);
  }
  template <class S>
  static constexpr S exponential(const S& x, const S&) {
    return tessera::exp(x);
  }
  template <class S>
  static constexpr S logarithm(const S& x, const S&) {
    return tessera::log(x);
  }
  template <class S>
  static constexpr S power(const S& x, const S& y) {
    return tessera::pow(x, y);
  }
  template <class S>
  static constexpr S cube(const S& x, const S&) {
    return tessera::pow(x, 3);
  }
  template <class S>
  static constexpr S magnitude(const S& x, const S&) {
    return tessera::abs(x);
  }
  template <class S>
  static constexpr S smaller(const S& x, const S& y) {
    return tessera::min(x, y);
  }
  template <class S>
  static constexpr S larger(const S& x, const S& y) {
    using tessera::max;
    return max(x, y);
  }
  template <class S>
  static constexpr S not_negative(const S& x, const S&) {
    return tessera::max(x, 0);
  }
  // Both comparisons are false for NaN.
  template <class S>
  static constexpr S chosen(const S& x, const S& y) {
    using tessera::select;
    return select(x > S(1) && x < y, x / y, select(!(x <= y) || x == S(0), y, -1));
  }
};

/// to[i] = f(x[i], y[i]); `count` is a multiple of any number of lanes, and arrays are aligned to a vector.
template <class T>
using math_function = void (*)(const T* x, const T* y, int count, T* to);

template <class T>
struct math_functions {
  math_function<T> sqrt, exp, log, pow, cube, abs, min, max, not_negative, select;
};

/// V is a vector of lanes.
template <class V, class T, V (*f)(const V&, const V&)>
void on_lanes(const T* x, const T* y, int count, T* to) {
  for (int i = 0; i < count; i += int(V::size)) f(V::load_aligned(x + i), V::load_aligned(y + i)).store_aligned(to + i);
}

template <class Isa, class T>
constexpr math_functions<T> make_math_functions() {
  using V = typename Isa::template vector<T>;
  return {&on_lanes<V, T, &calls::square_root<V>>,  &on_lanes<V, T, &calls::exponential<V>>,
          &on_lanes<V, T, &calls::logarithm<V>>,    &on_lanes<V, T, &calls::power<V>>,
          &on_lanes<V, T, &calls::cube<V>>,         &on_lanes<V, T, &calls::magnitude<V>>,
          &on_lanes<V, T, &calls::smaller<V>>,      &on_lanes<V, T, &calls::larger<V>>,
          &on_lanes<V, T, &calls::not_negative<V>>, &on_lanes<V, T, &calls::chosen<V>>};
}

/// Defined in lanes_<isa>.cpp for each instruction set of this build.
template <class T, target isa>
const math_functions<T>& compiled_math();

/// nullptr where this build lacks it.
template <class T>
const math_functions<T>* math_functions_of(target isa);

}  // namespace tessera::testing
