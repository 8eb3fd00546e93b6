// SPDX-License-Identifier: BSD-3-Clause
// Entries of types that are known at run time: as bits while they are on their way from memory, then as numbers of the
// sums' type. What is the same for all threads is asked for several entries at once.
#pragma once

#include <tessera/gpu/detail/general/any_functions.hpp>

namespace tessera::device {

/// An entry of any type that sums of S take.
template <class S>
struct any_bits {
  unsigned long long low;
};
template <class T>
struct any_bits<complex<T>> {
  unsigned long long low, high;
};

namespace entries {

// Memory is read as unsigned numbers, whatever it is written as.
using bits_16 [[gnu::may_alias]] = unsigned short;
using bits_32 [[gnu::may_alias]] = unsigned;
using bits_64 [[gnu::may_alias]] = unsigned long long;

template <class Number>
constexpr unsigned long long read(const char* from) {
  return *reinterpret_cast<const Number*>(from);
}

template <class Number, int Count, class S>
constexpr void load_numbers(const char* const (&from)[Count], any_bits<S> (&to)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) to[i].low = read<Number>(from[i]);
}

}  // namespace entries

/// Complex numbers may be aligned like their parts.
template <int Count, class S>
constexpr void load(any_type type, const char* const (&from)[Count], any_bits<S> (&to)[Count]) {
  if constexpr (is_complex<S>) {
    if (type == any_type::c32) {
#pragma unroll
      for (int i = 0; i < Count; ++i)
        to[i].low = entries::read<entries::bits_32>(from[i]) | entries::read<entries::bits_32>(from[i] + 4) << 32;
      return;
    }
    if (type == any_type::c64) {
      entries::load_numbers<entries::bits_64>(from, to);
#pragma unroll
      for (int i = 0; i < Count; ++i) to[i].high = entries::read<entries::bits_64>(from[i] + 8);
      return;
    }
  }
  switch (size_of(type)) {
    case 2: return entries::load_numbers<entries::bits_16>(from, to);
    case 4: return entries::load_numbers<entries::bits_32>(from, to);
    default: return entries::load_numbers<entries::bits_64>(from, to);
  }
}

/// Of the sums' type. Target::from_half and the like convert 16-bit numbers.
template <class Target, int Count, class S>
constexpr void as_sums(any_type type, const any_bits<S> (&from)[Count], S (&to)[Count]) {
  using bits = unsigned long long;
  const auto of_float = [](bits x) { return __builtin_bit_cast(float, static_cast<unsigned>(x)); };
  const auto of_double = [](bits x) { return __builtin_bit_cast(double, x); };
  if constexpr (is_complex<S>) {
    if (is_complex_type(type)) {
#pragma unroll
      for (int i = 0; i < Count; ++i)
        to[i] = type == any_type::c32 ? S(complex<float>(of_float(from[i].low), of_float(from[i].low >> 32)))
                                      : S(complex<double>(of_double(from[i].low), of_double(from[i].high)));
      return;
    }
  }
  const auto all = [&](const auto& number) {
#pragma unroll
    for (int i = 0; i < Count; ++i)
      if constexpr (is_complex<S>)
        to[i] = S(static_cast<typename S::value_type>(number(from[i].low)));
      else
        to[i] = static_cast<S>(number(from[i].low));
  };
  switch (type) {
    case any_type::f16: return all([](bits x) { return Target::from_half(static_cast<unsigned short>(x)); });
    case any_type::bf16: return all([&](bits x) { return of_float(x << 16); });
    case any_type::f32: return all(of_float);
    case any_type::f64: return all(of_double);
    case any_type::i16: return all([](bits x) { return static_cast<short>(x); });
    case any_type::i32: return all([](bits x) { return static_cast<int>(x); });
    default: return all([](bits x) { return static_cast<index_t>(x); });
  }
}

/// Writes a sum as an entry.
template <class Target, class S>
constexpr void store(any_type type, const S& value, char* to) {
  using namespace entries;
  const auto put_32 = [](float x, char* at) { *reinterpret_cast<bits_32*>(at) = __builtin_bit_cast(unsigned, x); };
  const auto put_64 = [](double x, char* at) {
    *reinterpret_cast<bits_64*>(at) = __builtin_bit_cast(unsigned long long, x);
  };
  if constexpr (is_complex<S>) {
    if (type == any_type::c32) {
      put_32(float(value.re), to);
      put_32(float(value.im), to + 4);
    } else {
      put_64(double(value.re), to);
      put_64(double(value.im), to + 8);
    }
  } else {
    switch (type) {
      case any_type::f16: *reinterpret_cast<bits_16*>(to) = Target::half_from(float(value)); break;
      case any_type::bf16: *reinterpret_cast<bits_16*>(to) = Target::bfloat16_from(float(value)); break;
      case any_type::f32: put_32(float(value), to); break;
      case any_type::f64: put_64(double(value), to); break;
      case any_type::i16: *reinterpret_cast<bits_16*>(to) = static_cast<unsigned short>(index_t(value)); break;
      case any_type::i32: *reinterpret_cast<bits_32*>(to) = static_cast<unsigned>(index_t(value)); break;
      default: *reinterpret_cast<bits_64*>(to) = static_cast<unsigned long long>(index_t(value)); break;
    }
  }
}

/// A factor alpha or beta as a number of the sums' type.
template <class S>
constexpr S factor_as(const complex<double>& factor) {
  if constexpr (is_complex<S>)
    return S(factor);
  else
    return S(factor.re);
}

}  // namespace tessera::device
