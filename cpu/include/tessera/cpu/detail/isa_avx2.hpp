// SPDX-License-Identifier: BSD-3-Clause
// AVX2 with FMA for kernels: vector type, multiply-add, masked partial loads, partial stores split into narrower ones.
#pragma once

#include <immintrin.h>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// `Where` identifies the translation unit: kernels compiled with different flags must not be merged.
template <class Where>
struct avx2 {
  static constexpr target name = target::avx2;
  static constexpr int registers = 16;
  static constexpr bool fused = true;
  static constexpr bool recuts = true;
  template <class T>
  using vector = xsimd::batch<T, xsimd::fma3<xsimd::avx2>>;

  template <class T>
  [[gnu::always_inline]] static vector<T> fma(const vector<T>& a, const vector<T>& b, const vector<T>& c) {
    if constexpr (sizeof(T) == 8)
      return _mm256_fmadd_pd(a, b, c);
    else
      return _mm256_fmadd_ps(a, b, c);
  }

  /// Keeps the value in a register: hides its origin, so that the compiler cannot load it again.
  template <class V>
  [[gnu::always_inline]] static void keep(V& v) {
    asm("" : "+x"(v.data));
  }

  /// p[0 .. n) and zero in the other lanes, whose memory is not accessed.
  template <class T>
  [[gnu::always_inline]] static vector<T> load_first(const T* p, int n) {
    if constexpr (sizeof(T) == 8)
      return _mm256_maskload_pd(p, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)));
    else
      return _mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
  }
  // By narrower stores: a masked store is dozens of micro-operations on AMD cores.
  template <class T>
  [[gnu::always_inline]] static void store_first(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      store_first_f64(p, n, v.data);
    else
      store_first_f32(p, n, v.data);
  }

  /// The same as store_first; they differ if store_first is a masked store (AVX-512).
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    store_first(p, n, v);
  }

  /// Shifts a sequence of vectors by n entries: each result has the last n entries of the previous vector, which `last`
  /// holds in a form of its own, followed by the first entries of this one.
  template <class T>
  class recut {
   public:
    recut() = default;
    explicit recut(int n) {
      for (int i = 0; i < words; ++i) {
        const int place = i - n * words_of_entry;
        from_[i] = (place + words) % words;
        first_[i] = place < 0 ? -1 : 0;
      }
    }
    [[gnu::always_inline]] vector<T> operator()(const vector<T>& v, T* last) const {
      const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(from_));
      const __m256i first = _mm256_load_si256(reinterpret_cast<const __m256i*>(first_));
      const vector<T> before = vector<T>::load_aligned(last);
      vector<T> turned, result;
      if constexpr (sizeof(T) == 8) {
        turned = _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(v), from));
        result = _mm256_blendv_pd(turned, before, _mm256_castsi256_pd(first));
      } else {
        turned = _mm256_permutevar8x32_ps(v, from);
        result = _mm256_blendv_ps(turned, before, _mm256_castsi256_ps(first));
      }
      turned.store_aligned(last);
      return result;
    }
    /// Entry i < n of `last`.
    static T kept(const T* last, int, int i) { return last[i]; }

   private:
    static constexpr int words = 8, words_of_entry = int(sizeof(T)) / 4;
    alignas(32) int from_[words];
    alignas(32) int first_[words];
  };

  /// A non-temporal store to an aligned address.
  template <class T>
  [[gnu::always_inline]] static void stream(T* p, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      _mm256_stream_pd(p, v);
    else
      _mm256_stream_ps(p, v);
  }
  /// A fence, before other threads may read the results of non-temporal stores.
  [[gnu::always_inline]] static void end_stream() { _mm_sfence(); }

 private:
  template <class Register>
  [[gnu::always_inline]] static void store_first_f64(double* p, int n, const Register& v) {
    auto part = _mm256_castpd256_pd128(v);
    if (n & 2) {
      _mm_storeu_pd(p, part);
      part = _mm256_extractf128_pd(v, 1);
      p += 2;
    }
    if (n & 1) _mm_store_sd(p, part);
  }
  template <class Register>
  [[gnu::always_inline]] static void store_first_f32(float* p, int n, const Register& v) {
    auto part = _mm256_castps256_ps128(v);
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
};

}  // namespace tessera::simd
