// SPDX-License-Identifier: BSD-3-Clause
// Baseline x86-64 as kernels see it: two doubles or four floats, multiply then add, first lanes by pieces.
#pragma once

#include <emmintrin.h>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// `Where` tells who instantiates: kernels of different translation units with different flags must not be merged.
template <class Where>
struct sse2 {
  static constexpr target name = target::sse2;
  static constexpr int registers = 16;
  template <class T>
  using vector = xsimd::batch<T, xsimd::sse2>;
  using f64 = vector<double>;
  using f32 = vector<float>;

  [[gnu::always_inline]] static f64 fma(const f64& a, const f64& b, const f64& c) {
    return _mm_add_pd(_mm_mul_pd(a, b), c);
  }
  [[gnu::always_inline]] static f32 fma(const f32& a, const f32& b, const f32& c) {
    return _mm_add_ps(_mm_mul_ps(a, b), c);
  }

  /// p[0 .. n), zero in the other lanes, which are not touched in memory.
  [[gnu::always_inline]] static f64 load_first(const double* p, int) { return _mm_load_sd(p); }
  [[gnu::always_inline]] static f32 load_first(const float* p, int n) {
    if (n == 1) return _mm_load_ss(p);
    const __m128 low = _mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(p)));
    return n == 2 ? low : _mm_movelh_ps(low, _mm_load_ss(p + 2));
  }
  [[gnu::always_inline]] static void store_first(double* p, int, const f64& v) { _mm_store_sd(p, v); }
  [[gnu::always_inline]] static void store_first(float* p, int n, const f32& v) {
    __m128 part = v;
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
