// SPDX-License-Identifier: BSD-3-Clause
// half to float and back by integer arithmetic, for processors without instructions for it. Without branches, so that
// compilers vectorise the loops over `size` numbers.
#pragma once

#include <tessera/cpu/detail/convert.hpp>
#include <tessera/cpu/detail/isa_sse2.hpp>

namespace tessera::simd {

template <class Where>
struct half_vector<sse2<Where>> {
  static constexpr int size = 8;

  [[gnu::always_inline]] static void load(const unsigned short* __restrict from, float* __restrict to) {
    for (int i = 0; i < size; ++i) to[i] = load_one(from[i]);
  }
  [[gnu::always_inline]] static void store(const float* __restrict from, unsigned short* __restrict to) {
    for (int i = 0; i < size; ++i) to[i] = store_one(from[i]);
  }
  [[gnu::always_inline]] static float load_one(unsigned short half) {
    const unsigned bits = half, sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
    // The exponents' biases differ by 112, those of infinity and NaN by 224. Subnormal numbers are integers by 2^-24.
    const unsigned normal = (magnitude << 13) + (magnitude >= 0x7c00u ? 224u << 23 : 112u << 23);
    const unsigned subnormal = detail::bits_of(float(int(magnitude)) * 0x1p-24f);
    return __builtin_bit_cast(float, sign | (magnitude < 0x400u ? subnormal : normal));
  }
  [[gnu::always_inline]] static unsigned short store_one(float value) {
    const unsigned bits = detail::bits_of(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    const unsigned normal = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
    // Adding 0.5, whose last place is 2^-24, rounds to a multiple of that.
    const unsigned subnormal = detail::bits_of(__builtin_bit_cast(float, magnitude) + 0.5f) - detail::bits_of(0.5f);
    const unsigned nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
    unsigned half = magnitude < 0x38800000u ? subnormal : normal;
    half = magnitude >= 0x477ff000u ? 0x7c00u : half;
    half = magnitude > 0x7f800000u ? nan : half;
    return static_cast<unsigned short>(sign | half);
  }
};

}  // namespace tessera::simd
