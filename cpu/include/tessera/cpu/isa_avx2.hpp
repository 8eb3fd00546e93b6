// SPDX-License-Identifier: BSD-3-Clause
// AVX2 with FMA as kernels see it: vector type, multiply-add, loads by mask and stores by pieces of the first lanes.
#pragma once

#include <immintrin.h>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// `Where` tells who instantiates: kernels of different translation units with different flags must not be merged.
template <class Where>
struct avx2 {
  static constexpr target name = target::avx2;
  static constexpr int registers = 16;
  template <class T>
  using vector = xsimd::batch<T, xsimd::fma3<xsimd::avx2>>;
  using f64 = vector<double>;
  using f32 = vector<float>;

  [[gnu::always_inline]] static f64 fma(const f64& a, const f64& b, const f64& c) { return _mm256_fmadd_pd(a, b, c); }
  [[gnu::always_inline]] static f32 fma(const f32& a, const f32& b, const f32& c) { return _mm256_fmadd_ps(a, b, c); }

  /// p[0 .. n), zero in the other lanes, which are not touched in memory.
  [[gnu::always_inline]] static f64 load_first(const double* p, int n) {
    return _mm256_maskload_pd(p, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)));
  }
  [[gnu::always_inline]] static f32 load_first(const float* p, int n) {
    return _mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
  }
  // In pieces: a masked store is dozens of micro-operations on AMD cores.
  [[gnu::always_inline]] static void store_first(double* p, int n, const f64& v) {
    __m128d part = _mm256_castpd256_pd128(v);
    if (n & 2) {
      _mm_storeu_pd(p, part);
      part = _mm256_extractf128_pd(v, 1);
      p += 2;
    }
    if (n & 1) _mm_store_sd(p, part);
  }
  [[gnu::always_inline]] static void store_first(float* p, int n, const f32& v) {
    __m128 part = _mm256_castps256_ps128(v);
    if (n & 4) {
      _mm_storeu_ps(p, part);
      part = _mm256_extractf128_ps(v, 1);
      p += 4;
    }
    if (n & 2) {
      _mm_storel_pi(reinterpret_cast<__m64*>(p), part);
      part = _mm_movehl_ps(part, part);
      p += 2;
    }
    if (n & 1) _mm_store_ss(p, part);
  }
  /// For ISAs whose store_first is one masked instruction the two differ.
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    store_first(p, n, v);
  }
};

}  // namespace tessera::simd
