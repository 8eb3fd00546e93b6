// SPDX-License-Identifier: BSD-3-Clause
// half to float and back by F16C, which every processor with AVX2 has.
#pragma once

#include <tessera/cpu/detail/convert.hpp>
#include <tessera/cpu/detail/isa_avx2.hpp>

namespace tessera::simd {

template <class Where>
struct half_vector<avx2<Where>> {
  static constexpr int size = 8;

  [[gnu::always_inline]] static void load(const unsigned short* from, float* to) {
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  }
  [[gnu::always_inline]] static void store(const float* from, unsigned short* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
  }
  [[gnu::always_inline]] static float load_one(unsigned short bits) {
    return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits)));
  }
  [[gnu::always_inline]] static unsigned short store_one(float value) {
    return static_cast<unsigned short>(_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT)));
  }
};

}  // namespace tessera::simd
