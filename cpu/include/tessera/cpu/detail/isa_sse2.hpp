// SPDX-License-Identifier: BSD-3-Clause
// Baseline x86-64 for kernels: two doubles or four floats, multiply then add, partial loads and stores split into
// narrower ones.
#pragma once

#include <emmintrin.h>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// `Where` identifies the translation unit: kernels compiled with different flags must not be merged.
template <class Where>
struct sse2 {
  static constexpr target name = target::sse2;
  static constexpr int registers = 16;
  static constexpr bool fused = false;
  static constexpr bool recuts = false;  // a sequence of vectors
  template <class T>
  using vector = xsimd::batch<T, xsimd::sse2>;

  template <class T>
  [[gnu::always_inline]] static vector<T> fma(const vector<T>& a, const vector<T>& b, const vector<T>& c) {
    return a * b + c;
  }

  /// p[0 .. n) and zero in the other lanes, whose memory is not accessed.
  template <class T>
  [[gnu::always_inline]] static vector<T> load_first(const T* p, int n) {
    if constexpr (sizeof(T) == 8) {
      return _mm_load_sd(p);
    } else {
      if (n == 1) return _mm_load_ss(p);
      const __m128 low = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(p));
      return n == 2 ? low : _mm_movelh_ps(low, _mm_load_ss(p + 2));
    }
  }
  template <class T>
  [[gnu::always_inline]] static void store_first(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8) {
      _mm_store_sd(p, v);
    } else {
      __m128 part = v;
      if (n & 2) {
        _mm_storel_pi(reinterpret_cast<__m64*>(p), part);
        part = _mm_movehl_ps(part, part);
        p += 2;
      }
      if (n & 1) _mm_store_ss(p, part);
    }
  }

  /// The same as store_first; they differ if store_first is a masked store (AVX-512).
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    store_first(p, n, v);
  }

  /// A non-temporal store to an aligned address.
  template <class T>
  [[gnu::always_inline]] static void stream(T* p, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      _mm_stream_pd(p, v);
    else
      _mm_stream_ps(p, v);
  }
  /// A fence, before other threads may read the results of non-temporal stores.
  [[gnu::always_inline]] static void end_stream() { _mm_sfence(); }
};

}  // namespace tessera::simd
