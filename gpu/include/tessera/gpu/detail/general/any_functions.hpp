// SPDX-License-Identifier: BSD-3-Clause
// Types, functions of entries and pairs of operations as values, and what they do: for kernels that learn them at run
// time.
#pragma once

#include <tessera/core/complex.hpp>
#include <tessera/core/half.hpp>
#include <tessera/core/scalar_type.hpp>

namespace tessera::device {

enum class any_type { f16, bf16, f32, f64, c32, c64, i16, i32, i64 };

constexpr bool is_complex_type(any_type type) { return type == any_type::c32 || type == any_type::c64; }

constexpr bool is_integer_type(any_type type) {
  return type == any_type::i16 || type == any_type::i32 || type == any_type::i64;
}

constexpr int size_of(any_type type) {
  switch (type) {
    case any_type::f16:
    case any_type::bf16:
    case any_type::i16: return 2;
    case any_type::f32:
    case any_type::i32: return 4;
    case any_type::f64:
    case any_type::c32:
    case any_type::i64: return 8;
    case any_type::c64: break;
  }
  return 16;
}

constexpr const char* name_of(any_type type) {
  switch (type) {
    case any_type::f16: return "f16";
    case any_type::bf16: return "bf16";
    case any_type::f32: return "f32";
    case any_type::f64: return "f64";
    case any_type::c32: return "c32";
    case any_type::c64: return "c64";
    case any_type::i16: return "i16";
    case any_type::i32: return "i32";
    case any_type::i64: break;
  }
  return "i64";
}

/// The type of the same name.
constexpr any_type any_type_of(scalar_type type) {
  const auto same = [](const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return *a == *b;
  };
  int found = 0;
  while (found < int(any_type::i64) && !same(name_of(static_cast<any_type>(found)), tessera::name_of(type))) ++found;
  return static_cast<any_type>(found);
}

/// x; max(x, 0); x or, if negative, parameter x; x or, if negative, parameter (e^x - 1); the conjugate. NaN stays.
enum class any_function_kind { identity, relu, leaky_relu, elu, conj };
struct any_function {
  any_function_kind kind = any_function_kind::identity;
  double parameter = 0;

  friend constexpr bool operator==(const any_function&, const any_function&) = default;
};

/// How sums are made of terms, and terms of two entries. or_and takes every number but 0 as true, and makes 1 and 0.
/// The least and the largest one of a number and NaN is the number.
enum class any_pair { plus_times, min_plus, max_plus, max_times, or_and };

struct any_functions {
  any_function left{}, right{}, addend{}, result{};
  any_pair pair = any_pair::plus_times;

  friend constexpr bool operator==(const any_functions&, const any_functions&) = default;
};

/// Arithmetic with sums.
template <class S>
struct any_number {
  static constexpr bool is_integer = false;

  static constexpr S plus(const S& a, const S& b) { return a + b; }
  static constexpr S times(const S& a, const S& b) { return a * b; }
  static constexpr S largest() { return S(__builtin_inff()); }
  static constexpr S lowest() { return -largest(); }
};
/// Integers wrap around.
template <class S, class Unsigned>
struct any_integer {
  static constexpr bool is_integer = true;

  static constexpr S plus(S a, S b) { return S(Unsigned(a) + Unsigned(b)); }
  static constexpr S times(S a, S b) { return S(Unsigned(a) * Unsigned(b)); }
  static constexpr S largest() { return S(Unsigned(-1) >> 1); }
  static constexpr S lowest() { return -largest() - 1; }
};
template <>
struct any_number<int> : any_integer<int, unsigned> {};
template <>
struct any_number<index_t> : any_integer<index_t, unsigned long long> {};

/// `add_term`: the sum and the term of two entries; `add`: of two sums. Outside of the tensors the left entry is
/// neutral and the right one as below, so that terms are neutral.
template <any_pair Pair>
struct any_operations {
  template <class S>
  static constexpr S neutral() {
    if constexpr (Pair == any_pair::min_plus)
      return any_number<S>::largest();
    else if constexpr (Pair == any_pair::max_plus || Pair == any_pair::max_times)
      return any_number<S>::lowest();
    else
      return S(0);
  }
  template <class S>
  static constexpr S outside_of_right() {
    return S(Pair == any_pair::min_plus || Pair == any_pair::max_plus ? 0 : 1);
  }

  template <class S>
  static constexpr S add(const S& a, const S& b) {
    if constexpr (Pair == any_pair::min_plus)
      return b < a ? b : a;
    else if constexpr (Pair == any_pair::max_plus || Pair == any_pair::max_times)
      return a < b ? b : a;
    else if constexpr (Pair == any_pair::or_and)
      return S(a != S(0) || b != S(0) ? 1 : 0);
    else
      return any_number<S>::plus(a, b);
  }
  template <class S>
  static constexpr void add_term(S& sum, const S& a, const S& b) {
    if constexpr (Pair == any_pair::plus_times && is_complex<S>)
      add_product(sum, a, b);
    else if constexpr (Pair == any_pair::plus_times || Pair == any_pair::max_times)
      sum = add(sum, any_number<S>::times(a, b));
    else if constexpr (Pair == any_pair::or_and)
      sum = a != S(0) && b != S(0) ? S(1) : sum;
    else
      sum = add(sum, any_number<S>::plus(a, b));
  }
};

/// work(any_operations<pair>()); of complex numbers there is only plus_times.
template <class S, class Work>
constexpr auto with_operations(any_pair pair, const Work& work) {
  if constexpr (!is_complex<S>) switch (pair) {
      case any_pair::min_plus: return work(any_operations<any_pair::min_plus>());
      case any_pair::max_plus: return work(any_operations<any_pair::max_plus>());
      case any_pair::max_times: return work(any_operations<any_pair::max_times>());
      case any_pair::or_and: return work(any_operations<any_pair::or_and>());
      case any_pair::plus_times: break;
    }
  return work(any_operations<any_pair::plus_times>());
}

/// values[i] = function(values[i]), numbers of the sums' type. Target::exp_minus_one computes e^x - 1.
template <class Target, int Count, class S>
constexpr void apply(const any_function& function, S (&values)[Count]) {
  if constexpr (is_complex<S>) {
    if (function.kind != any_function_kind::conj) return;
    for (S& x : values) x = conj(x);
  } else {
    switch (function.kind) {
      case any_function_kind::identity:
      case any_function_kind::conj: break;
      case any_function_kind::relu:
        for (S& x : values) x = x < S(0) ? S(0) : x;
        break;
      case any_function_kind::leaky_relu:
        for (S& x : values) x = x < S(0) ? S(function.parameter) * x : x;
        break;
      case any_function_kind::elu:
        if constexpr (!any_number<S>::is_integer)
          for (S& x : values) x = x < S(0) ? S(function.parameter) * Target::exp_minus_one(x) : x;
        break;
    }
  }
}

}  // namespace tessera::device
