// SPDX-License-Identifier: BSD-3-Clause
// Kernels that convert runs of entries. Compilers vectorise the loops; half_<isa>.hpp has those that they do not.
#pragma once

#include <tessera/cpu/detail/entry_functions.hpp>

namespace tessera::simd {

/// Conversion of 16-bit floating-point numbers: `size` of them at once. Each instruction set has its own.
template <class Isa>
struct half_vector;

namespace detail {

[[gnu::always_inline]] inline unsigned bits_of(float value) { return __builtin_bit_cast(unsigned, value); }

/// The upper half of a float, rounded to the nearest, ties to even. Without a branch, for vectors.
[[gnu::always_inline]] inline unsigned short bfloat16_bits(float value) {
  const unsigned bits = bits_of(value), rounded = bits + 0x7fffu + (bits >> 16 & 1u);
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return static_cast<unsigned short>((is_nan ? (bits | 0x400000u) : rounded) >> 16);
}

/// f(at) for blocks of `size` entries. The last block ends at the end, and overlaps the one before; false where even
/// one is too long.
template <class Isa, int size, class F>
[[gnu::always_inline]] inline bool in_blocks(index_t length, const F& f) {
  if (length < size) return false;
  index_t i = 0;
  for (; i + size <= length; i += size) f(i);
  if (i < length) f(length - size);
  return true;
}

template <class Isa>
[[gnu::always_inline]] inline void convert_run(const half* __restrict from, float* __restrict to, index_t length) {
  using halves = half_vector<Isa>;
  const bool done = in_blocks<Isa, halves::size>(
      length, [&](index_t i) __attribute__((always_inline)) { halves::load(&from[i].bits, to + i); });
  for (index_t i = 0; !done && i < length; ++i) to[i] = halves::load_one(from[i].bits);
}
template <class Isa>
[[gnu::always_inline]] inline void convert_run(const float* __restrict from, half* __restrict to, index_t length) {
  using halves = half_vector<Isa>;
  const bool done = in_blocks<Isa, halves::size>(
      length, [&](index_t i) __attribute__((always_inline)) { halves::store(from + i, &to[i].bits); });
  for (index_t i = 0; !done && i < length; ++i) to[i].bits = halves::store_one(from[i]);
}
template <class Isa>
[[gnu::always_inline]] inline void convert_run(const bfloat16* __restrict from, float* __restrict to, index_t length) {
  for (index_t i = 0; i < length; ++i) to[i] = __builtin_bit_cast(float, unsigned(from[i].bits) << 16);
}
template <class Isa>
[[gnu::always_inline]] inline void convert_run(const float* __restrict from, bfloat16* __restrict to, index_t length) {
  for (index_t i = 0; i < length; ++i) to[i].bits = bfloat16_bits(from[i]);
}
template <class Isa>
[[gnu::always_inline]] inline void convert_run(const float* __restrict from, double* __restrict to, index_t length) {
  for (index_t i = 0; i < length; ++i) to[i] = double(from[i]);
}
template <class Isa>
[[gnu::always_inline]] inline void convert_run(const double* __restrict from, float* __restrict to, index_t length) {
  for (index_t i = 0; i < length; ++i) to[i] = float(from[i]);
}

template <class Isa, class From, class To>
void convert_runs(const From* from, To* to, const entry_runs& runs) {
  for (index_t i = 0; i < runs.count; ++i, from += runs.from, to += runs.to) convert_run<Isa>(from, to, runs.length);
}

// (im, re) of each pair.
template <class Isa, class Vector, int... I>
[[gnu::always_inline]] inline Vector swapped_pairs(const Vector& v, sequence<I...>) {
  const auto parts = v.data;
  return Vector(__builtin_shufflevector(parts, parts, (I ^ 1)...));
}

// The same pair in each pair of lanes.
template <class Isa, class T>
[[gnu::always_inline]] inline auto pairs_of(T even, T odd) {
  using vector = typename Isa::template vector<T>;
  alignas(64) T entries[vector::size];
  for (int i = 0; i < int(vector::size); i += 2) entries[i] = even, entries[i + 1] = odd;
  return vector::load_aligned(entries);
}

/// A run of complex numbers (re, im) as two columns. The tail comes first: it is stored as a whole vector, whose
/// padding is overwritten.
template <class Isa, class T, bool scaled>
void expand_runs(const T* from, T* to, const entry_runs& runs, const expansion<T>& by) {
  using vector = typename Isa::template vector<T>;
  constexpr int size = int(vector::size);
  const T re = by.alpha.re, im = by.alpha.im, c = by.conjugated ? T(-1) : T(1), s = by.other_conjugated ? T(-1) : T(1);
  // v = (re a.re - im c a.im, im a.re + re c a.im); of the entries in place, and of the swapped ones.
  const vector first = pairs_of<Isa>(re, c * re), first_swapped = pairs_of<Isa>(-c * im, im);
  const vector second = pairs_of<Isa>(-s * im, -s * c * im), second_swapped = pairs_of<Isa>(-s * c * re, s * re);
  const index_t length = 2 * runs.length, tail = length % size;
  const auto expand = [&](const vector& x, T* at) __attribute__((always_inline)) {
    const vector turned = swapped_pairs<Isa>(x, iota<size>{});
    vector v = x * first, w = turned * second_swapped;
    if constexpr (scaled) {
      v = Isa::fma(turned, first_swapped, v);
      w = Isa::fma(x, second, w);
    }
    v.store_unaligned(at);
    w.store_unaligned(at + length);
  };
  for (index_t i = 0; i < runs.count; ++i, from += runs.from, to += runs.to) {
    const index_t whole = length - tail;
    if constexpr (size > 2)
      if (tail > 0) expand(Isa::load_first(from + whole, int(tail)), to + whole);
    for (index_t l = 0; l < whole; l += size) expand(vector::load_unaligned(from + l), to + l);
  }
}

template <class Isa, class T>
void expand_any(const T* from, T* to, const entry_runs& runs, const expansion<T>& by) {
  if (by.alpha.re != T(1) || by.alpha.im != T(0))
    expand_runs<Isa, T, true>(from, to, runs, by);
  else
    expand_runs<Isa, T, false>(from, to, runs, by);
}

}  // namespace detail

/// The functions of an instruction set between T, the type of its kernels, and others.
template <class Isa, class T>
constexpr entry_functions make_entry_functions() {
  entry_functions all;
  if constexpr (same_type<T, float>) {
    all.from_half = &detail::convert_runs<Isa, half, float>;
    all.to_half = &detail::convert_runs<Isa, float, half>;
    all.from_bfloat16 = &detail::convert_runs<Isa, bfloat16, float>;
    all.to_bfloat16 = &detail::convert_runs<Isa, float, bfloat16>;
    all.expand_f32 = &detail::expand_any<Isa, float>;
  } else {
    all.from_float = &detail::convert_runs<Isa, float, double>;
    all.to_float = &detail::convert_runs<Isa, double, float>;
    all.expand_f64 = &detail::expand_any<Isa, double>;
  }
  return all;
}

}  // namespace tessera::simd
