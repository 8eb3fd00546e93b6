// SPDX-License-Identifier: BSD-3-Clause
// half to float and back, sixteen numbers at once.
#pragma once

#include <tessera/cpu/detail/convert.hpp>
#include <tessera/cpu/detail/isa_avx512.hpp>

namespace tessera::simd {

template <class Where>
struct half_vector<avx512<Where>> {
  static constexpr int size = 16;

  [[gnu::always_inline]] static void load(const unsigned short* from, float* to) {
    _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
  }
  [[gnu::always_inline]] static void store(const float* from, unsigned short* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
  }
  [[gnu::always_inline]] static float load_one(unsigned short bits) {
    return _mm512_cvtss_f32(_mm512_cvtph_ps(_mm256_zextsi128_si256(_mm_cvtsi32_si128(bits))));
  }
  [[gnu::always_inline]] static unsigned short store_one(float value) {
    const __m256i halves = _mm512_cvtps_ph(_mm512_zextps128_ps512(_mm_set_ss(value)), _MM_FROUND_TO_NEAREST_INT);
    return static_cast<unsigned short>(_mm_cvtsi128_si32(_mm256_castsi256_si128(halves)));
  }
};

}  // namespace tessera::simd
