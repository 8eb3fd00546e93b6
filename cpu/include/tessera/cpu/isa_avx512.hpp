// SPDX-License-Identifier: BSD-3-Clause
// AVX-512 as kernels see it: vector type, real multiply-add, loads and stores of the first lanes by mask.
#pragma once

#include <immintrin.h>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// `Where` tells who instantiates: kernels of different translation units with different flags must not be merged.
template <class Where>
struct avx512 {
  static constexpr target name = target::avx512;
  static constexpr int registers = 32;
  template <class T>
  using vector = xsimd::batch<T, xsimd::avx512f>;
  using f64 = vector<double>;
  using f32 = vector<float>;

  // xsimd 8.1 multiplies and adds here unless the compiler contracts.
  [[gnu::always_inline]] static f64 fma(const f64& a, const f64& b, const f64& c) { return _mm512_fmadd_pd(a, b, c); }
  [[gnu::always_inline]] static f32 fma(const f32& a, const f32& b, const f32& c) { return _mm512_fmadd_ps(a, b, c); }

  /// p[0 .. n), zero in the other lanes, which are not touched in memory.
  [[gnu::always_inline]] static f64 load_first(const double* p, int n) { return _mm512_maskz_loadu_pd(first8(n), p); }
  [[gnu::always_inline]] static f32 load_first(const float* p, int n) { return _mm512_maskz_loadu_ps(first16(n), p); }
  [[gnu::always_inline]] static void store_first(double* p, int n, const f64& v) {
    _mm512_mask_storeu_pd(p, first8(n), v);
  }
  [[gnu::always_inline]] static void store_first(float* p, int n, const f32& v) {
    _mm512_mask_storeu_ps(p, first16(n), v);
  }
  /// The same in whole pieces. Where neighbouring entries are loaded soon after, a masked store stalls those loads
  /// (Zen 5, C += A B in double: n = 3 7.7 against 25 GFLOP/s, n = 5 35 against 48).
  [[gnu::always_inline]] static void store_pieces(double* p, int n, const f64& v) {
    const __m512d whole = v;
    __m256d half = __builtin_shufflevector(whole, whole, 0, 1, 2, 3);
    if (n & 4) {
      _mm256_storeu_pd(p, half);
      half = __builtin_shufflevector(whole, whole, 4, 5, 6, 7);
      p += 4;
    }
    __m128d pair = _mm256_castpd256_pd128(half);
    if (n & 2) {
      _mm_storeu_pd(p, pair);
      pair = _mm256_extractf128_pd(half, 1);
      p += 2;
    }
    if (n & 1) _mm_store_sd(p, pair);
  }
  [[gnu::always_inline]] static void store_pieces(float* p, int n, const f32& v) {
    const __m512 whole = v;
    __m256 half = __builtin_shufflevector(whole, whole, 0, 1, 2, 3, 4, 5, 6, 7);
    if (n & 8) {
      _mm256_storeu_ps(p, half);
      half = __builtin_shufflevector(whole, whole, 8, 9, 10, 11, 12, 13, 14, 15);
      p += 8;
    }
    __m128 quarter = _mm256_castps256_ps128(half);
    if (n & 4) {
      _mm_storeu_ps(p, quarter);
      quarter = _mm256_extractf128_ps(half, 1);
      p += 4;
    }
    if (n & 2) {
      _mm_storel_pi(reinterpret_cast<__m64*>(p), quarter);
      quarter = _mm_movehl_ps(quarter, quarter);
      p += 2;
    }
    if (n & 1) _mm_store_ss(p, quarter);
  }

 private:
  [[gnu::always_inline]] static __mmask8 first8(int n) { return __mmask8((1u << n) - 1u); }
  [[gnu::always_inline]] static __mmask16 first16(int n) { return __mmask16((1u << n) - 1u); }
};

}  // namespace tessera::simd
