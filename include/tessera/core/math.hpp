// SPDX-License-Identifier: BSD-3-Clause
// sqrt, exp, log, pow, abs, min, max and select, for numbers, for vectors of lanes and in a GPU's code alike.
#pragma once

#include <tessera/core/types.hpp>

/// Functions that a pointwise function calls as tessera::sqrt(x), or after `using tessera::sqrt` as sqrt(x), with S a
/// number or a vector of lanes. Where there are two arguments, the first one's type decides, so that the second may be
/// a constant: max(x, 0). Numbers on a host: by its C library; on a GPU: by CUDA's. Lanes have the C library's special
/// values, too, and errors of at most 4 units in the last place.
///
/// They are objects with a call, so that no function of this name beside the type of lanes is found instead.
namespace tessera {

namespace detail {

template <class S>
concept number = same_type<S, float> || same_type<S, double> || same_type<S, long double>;
template <class S>
concept lanes = requires {
  typename S::value_type;
  S::load_aligned(static_cast<const typename S::value_type*>(nullptr));
};
template <class S>
concept number_or_lanes = number<S> || lanes<S>;

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
  if constexpr (!number<S> || !requires { __builtin_sqrt(x); })
    return sqrt(x);
  else if constexpr (same_type<S, float>)
    return __builtin_sqrtf(x);
  else if constexpr (same_type<S, double>)
    return __builtin_sqrt(x);
  else
    return __builtin_sqrtl(x);
}
template <class S>
constexpr S exponential(const S& x) {
  if constexpr (!number<S> || !requires { __builtin_exp(x); })
    return exp(x);
  else if constexpr (same_type<S, float>)
    return __builtin_expf(x);
  else if constexpr (same_type<S, double>)
    return __builtin_exp(x);
  else
    return __builtin_expl(x);
}
template <class S>
constexpr S logarithm(const S& x) {
  if constexpr (!number<S> || !requires { __builtin_log(x); })
    return log(x);
  else if constexpr (same_type<S, float>)
    return __builtin_logf(x);
  else if constexpr (same_type<S, double>)
    return __builtin_log(x);
  else
    return __builtin_logl(x);
}
template <class S>
constexpr S power(const S& x, const S& y) {
  if constexpr (!number<S> || !requires { __builtin_pow(x, y); })
    return pow(x, y);
  else if constexpr (same_type<S, float>)
    return __builtin_powf(x, y);
  else if constexpr (same_type<S, double>)
    return __builtin_pow(x, y);
  else
    return __builtin_powl(x, y);
}
template <class S>
constexpr S magnitude(const S& x) {
  if constexpr (!number<S> || !requires { __builtin_fabs(x); })
    return fabs(x);
  else if constexpr (same_type<S, float>)
    return __builtin_fabsf(x);
  else if constexpr (same_type<S, double>)
    return __builtin_fabs(x);
  else
    return __builtin_fabsl(x);
}
template <class Condition, class S>
constexpr S choice(const Condition& condition, const S& yes, const S& no) {
  return select(condition, yes, no);
}

}  // namespace found

struct select_call {
  template <class Condition, class S>
  constexpr S operator()(const Condition& condition, const S& yes, const as<S>& no) const {
    if constexpr (lanes<S>)
      return found::choice(condition, yes, no);
    else
      return condition ? yes : no;
  }
};

struct min_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& a, const as<S>& b) const {
    return select_call{}(b < a, b, a);
  }
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const requires(!number_or_lanes<A>) {
    return b < a ? b : a;
  }
};
struct max_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& a, const as<S>& b) const {
    return select_call{}(a < b, b, a);
  }
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const requires(!number_or_lanes<A>) {
    return a < b ? b : a;
  }
};

struct abs_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& x) const {
    return found::magnitude(x);
  }
};

struct sqrt_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& x) const {
    return found::square_root(x);
  }
};

struct exp_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& x) const {
    if constexpr (lanes<S>) {
      // The square of exp(x / 2) where x is large: that of xsimd is 0 and infinite too early. It rounds x to integers,
      // so NaN and what is far beyond the last finite result do not come to it.
      using T = typename S::value_type;
      constexpr select_call choose;
      const S half(T(0.5)), most(T(sizeof(T) == 8 ? 700 : 85)), end(T(sizeof(T) == 8 ? 1500 : 210));
      const S inside = choose(x > -end, choose(x < end, x, end), -end);
      const auto is_large = found::magnitude(inside) > most;
      const S e = found::exponential(choose(is_large, half * inside, inside));
      return choose(x == x, choose(is_large, e * e, e), x);
    } else {
      return found::exponential(x);
    }
  }
};

struct log_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& x) const {
    if constexpr (lanes<S>) {
      // log(2^54 x) - log(2^54) where x is no normal number, which that of xsimd does not take.
      using T = typename S::value_type;
      constexpr select_call choose;
      const S normal(T(sizeof(T) == 8 ? 0x1p-1022 : 0x1p-126)), scale(T(0x1p54)), log_scale(T(37.429947750237047));
      const auto is_small = x < normal;
      const S result = found::logarithm(choose(is_small, scale * x, x));
      return choose(is_small, result - log_scale, result);
    } else {
      return found::logarithm(x);
    }
  }
};

struct pow_call {
  template <number_or_lanes S>
  constexpr S operator()(const S& x, const as<S>& y) const {
    if constexpr (lanes<S>) {
      using T = typename S::value_type;
      constexpr int count = int(sizeof(S) / sizeof(T));
      alignas(S) T base[count], exponent[count];
      x.store_aligned(base);
      y.store_aligned(exponent);
      for (int i = 0; i < count; ++i) base[i] = found::power(base[i], exponent[i]);
      return S::load_aligned(base);
    } else {
      return found::power(x, y);
    }
  }
};

}  // namespace detail

/// select(condition, yes, no): `yes` where the condition is true, else `no`. Both are computed; a NaN or an infinity of
/// the one that is not taken does no harm. The condition is a comparison x < y, or several with &&, || and !.
inline constexpr detail::select_call select{};
/// As those of the standard library: the first where neither is less than the other, NaN included.
inline constexpr detail::min_call min{};
inline constexpr detail::max_call max{};
inline constexpr detail::abs_call abs{};
inline constexpr detail::sqrt_call sqrt{};
inline constexpr detail::exp_call exp{};
/// Of the natural base.
inline constexpr detail::log_call log{};
/// pow(x, y): x to the power of y. Of lanes one call of the C library for each: x * x is faster than pow(x, 2).
inline constexpr detail::pow_call pow{};

}  // namespace tessera
