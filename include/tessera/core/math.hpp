// SPDX-License-Identifier: BSD-3-Clause
// sqrt, exp, log, pow, abs, min, max and select, for numbers, for vectors of lanes and in a GPU's code alike.
#pragma once

#include <tessera/core/types.hpp>

/// Functions that a pointwise function calls as tessera::sqrt(x), or after `using tessera::sqrt`, with S a float, a
/// double or a vector of lanes. Where a function has two arguments of one type, the first one decides it, so that the
/// second may be a constant: max(x, 0). Numbers of a host: those of its C library. On a GPU: CUDA's. Lanes have the
/// special values of the C library, too, and errors of at most 3 units in the last place.
namespace tessera {

namespace detail {

/// A vector of lanes, not a number.
template <class S>
concept lanes = requires {
  typename S::value_type;
  S::load_aligned(static_cast<const typename S::value_type*>(nullptr));
};
template <class S>
concept number_or_lanes = same_type<S, float> || same_type<S, double> || lanes<S>;

/// The type of an argument that decides no template parameter.
template <class S>
struct same_as {
  using type = S;
};
template <class S>
using as = typename same_as<S>::type;

// What the host's compiler has for numbers, else what is found by name: in a GPU's code, and for lanes beside their
// type. No header of the standard library is needed.
namespace found {

template <class S>
constexpr S square_root(const S& x) {
  if constexpr (same_type<S, float> && requires { __builtin_sqrtf(x); })
    return __builtin_sqrtf(x);
  else if constexpr (same_type<S, double> && requires { __builtin_sqrt(x); })
    return __builtin_sqrt(x);
  else
    return sqrt(x);
}
template <class S>
constexpr S exponential(const S& x) {
  if constexpr (same_type<S, float> && requires { __builtin_expf(x); })
    return __builtin_expf(x);
  else if constexpr (same_type<S, double> && requires { __builtin_exp(x); })
    return __builtin_exp(x);
  else
    return exp(x);
}
template <class S>
constexpr S logarithm(const S& x) {
  if constexpr (same_type<S, float> && requires { __builtin_logf(x); })
    return __builtin_logf(x);
  else if constexpr (same_type<S, double> && requires { __builtin_log(x); })
    return __builtin_log(x);
  else
    return log(x);
}
template <class S>
constexpr S power(const S& x, const S& y) {
  if constexpr (same_type<S, float> && requires { __builtin_powf(x, y); })
    return __builtin_powf(x, y);
  else if constexpr (same_type<S, double> && requires { __builtin_pow(x, y); })
    return __builtin_pow(x, y);
  else
    return pow(x, y);
}
template <class S>
constexpr S magnitude(const S& x) {
  if constexpr (same_type<S, float> && requires { __builtin_fabsf(x); })
    return __builtin_fabsf(x);
  else if constexpr (same_type<S, double> && requires { __builtin_fabs(x); })
    return __builtin_fabs(x);
  else
    return fabs(x);
}
template <class Condition, class S>
constexpr S choice(const Condition& condition, const S& yes, const S& no) {
  return select(condition, yes, no);
}

}  // namespace found

}  // namespace detail

/// `yes` where the condition is true, else `no`. Both are computed: a NaN or an infinity of the one that is not taken
/// does no harm. The condition is a comparison x < y, or several, joined by && and ||.
template <class Condition, class S>
constexpr S select(const Condition& condition, const S& yes, const detail::as<S>& no) {
  if constexpr (detail::lanes<S>)
    return detail::found::choice(condition, yes, no);
  else
    return condition ? yes : no;
}

/// As those of the standard library: a where neither is less than the other, NaN included.
template <class S>
constexpr S min(const S& a, const detail::as<S>& b) {
  return tessera::select(b < a, b, a);
}
template <class S>
constexpr S max(const S& a, const detail::as<S>& b) {
  return tessera::select(a < b, b, a);
}

template <detail::number_or_lanes S>
constexpr S abs(const S& x) {
  return detail::found::magnitude(x);
}

template <detail::number_or_lanes S>
constexpr S sqrt(const S& x) {
  return detail::found::square_root(x);
}

template <detail::number_or_lanes S>
constexpr S exp(const S& x) {
  if constexpr (detail::lanes<S>) {
    // The square of exp(x / 2) where x is large: that of xsimd is 0 and infinite too early.
    using T = typename S::value_type;
    const S half(T(0.5)), most(T(sizeof(T) == 8 ? 700 : 85));
    const auto is_large = tessera::abs(x) > most;
    const S e = detail::found::exponential(tessera::select(is_large, half * x, x));
    return tessera::select(is_large, e * e, e);
  } else {
    return detail::found::exponential(x);
  }
}

/// Of the natural base.
template <detail::number_or_lanes S>
constexpr S log(const S& x) {
  if constexpr (detail::lanes<S>) {
    // log(2^54 x) - log(2^54) where x is no normal number, which that of xsimd does not take.
    using T = typename S::value_type;
    const S normal(T(sizeof(T) == 8 ? 0x1p-1022 : 0x1p-126)), scale(T(0x1p54)), log_scale(T(37.429947750237047));
    const auto is_small = x < normal;
    const S result = detail::found::logarithm(tessera::select(is_small, scale * x, x));
    return tessera::select(is_small, result - log_scale, result);
  } else {
    return detail::found::logarithm(x);
  }
}

/// x to the power of y. Of lanes one call of the C library for each: x * x is faster than pow(x, 2).
template <detail::number_or_lanes S>
constexpr S pow(const S& x, const detail::as<S>& y) {
  if constexpr (detail::lanes<S>) {
    using T = typename S::value_type;
    constexpr int count = int(sizeof(S) / sizeof(T));
    alignas(S) T base[count], exponent[count];
    x.store_aligned(base);
    y.store_aligned(exponent);
    for (int i = 0; i < count; ++i) base[i] = detail::found::power(base[i], exponent[i]);
    return S::load_aligned(base);
  } else {
    return detail::found::power(x, y);
  }
}

}  // namespace tessera
