// SPDX-License-Identifier: BSD-3-Clause
// AVX-512 for kernels: vector type, real multiply-add, masked partial loads and stores.
#pragma once

#include <immintrin.h>

#include <type_traits>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// The lower half of its registers, for tails of few rows: Zen 4 computes two of them in the time of a whole one.
template <class Where>
struct avx512_half {
  static constexpr target name = target::avx512;
  static constexpr int registers = 32;
  static constexpr bool fused = true;
  template <class T>
  using vector = xsimd::batch<T, xsimd::fma3<xsimd::avx2>>;

  template <class T>
  [[gnu::always_inline]] static vector<T> fma(const vector<T>& a, const vector<T>& b, const vector<T>& c) {
    if constexpr (sizeof(T) == 8)
      return _mm256_fmadd_pd(a, b, c);
    else
      return _mm256_fmadd_ps(a, b, c);
  }
  template <class V>
  [[gnu::always_inline]] static void keep(V& v) {
    asm("" : "+v"(v.data));
  }
  template <class T>
  [[gnu::always_inline]] static vector<T> load_first(const T* p, int n) {
    if constexpr (sizeof(T) == 8)
      return _mm256_maskz_loadu_pd(first(n), p);
    else
      return _mm256_maskz_loadu_ps(first(n), p);
  }
  template <class T>
  [[gnu::always_inline]] static void store_first(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      _mm256_mask_storeu_pd(p, first(n), v);
    else
      _mm256_mask_storeu_ps(p, first(n), v);
  }
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      store_pieces_f64(p, n, v.data);
    else
      store_pieces_f32(p, n, v.data);
  }

 private:
  template <class Register>
  [[gnu::always_inline]] static void store_pieces_f64(double* p, int n, const Register& v) {
    auto pair = __builtin_shufflevector(v, v, 0, 1);
    if (n & 2) {
      _mm_storeu_pd(p, pair);
      pair = __builtin_shufflevector(v, v, 2, 3);
      p += 2;
    }
    if (n & 1) *p = pair[0];
  }
  template <class Register>
  [[gnu::always_inline]] static void store_pieces_f32(float* p, int n, const Register& v) {
    auto quarter = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    if (n & 4) {
      _mm_storeu_ps(p, quarter);
      quarter = __builtin_shufflevector(v, v, 4, 5, 6, 7);
      p += 4;
    }
    if (n & 2) {
      _mm_storel_pi(reinterpret_cast<__m64*>(p), quarter);
      quarter = __builtin_shufflevector(quarter, quarter, 2, 3, 2, 3);
      p += 2;
    }
    if (n & 1) *p = quarter[0];
  }
  [[gnu::always_inline]] static __mmask8 first(int n) { return __mmask8((1u << n) - 1u); }
};

/// `Where` identifies the translation unit: kernels compiled with different flags must not be merged.
template <class Where>
struct avx512 {
  using half = avx512_half<Where>;
  static constexpr target name = target::avx512;
  static constexpr int registers = 32;
  static constexpr bool fused = true;
  static constexpr bool recuts = true;
  template <class T>
  using vector = xsimd::batch<T, xsimd::avx512f>;

  // xsimd 8.1 multiplies and adds here unless the compiler contracts.
  template <class T>
  [[gnu::always_inline]] static vector<T> fma(const vector<T>& a, const vector<T>& b, const vector<T>& c) {
    if constexpr (sizeof(T) == 8)
      return _mm512_fmadd_pd(a, b, c);
    else
      return _mm512_fmadd_ps(a, b, c);
  }

  /// Keeps the value in a register: hides its origin, so that the compiler cannot load it again.
  template <class V>
  [[gnu::always_inline]] static void keep(V& v) {
    asm("" : "+v"(v.data));
  }

  /// p[0 .. n) and zero in the other lanes, whose memory is not accessed.
  template <class T>
  [[gnu::always_inline]] static vector<T> load_first(const T* p, int n) {
    if constexpr (sizeof(T) == 8)
      return _mm512_maskz_loadu_pd(first8(n), p);
    else
      return _mm512_maskz_loadu_ps(first16(n), p);
  }
  template <class T>
  [[gnu::always_inline]] static void store_first(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      _mm512_mask_storeu_pd(p, first8(n), v);
    else
      _mm512_mask_storeu_ps(p, first16(n), v);
  }

  /// The same, split into narrower stores. If neighbouring entries are loaded soon after, a masked store stalls those
  /// loads (Zen 5, C += A B in double: n = 3 8 against 19 GFLOP/s, n = 5 35 against 40).
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      store_pieces_f64(p, n, v.data);
    else
      store_pieces_f32(p, n, v.data);
  }

  /// Shifts a sequence of vectors by n entries: each result has the last n entries of the previous vector, which `last`
  /// holds in a form of its own, followed by the first entries of this one.
  template <class T>
  class recut {
   public:
    recut() = default;
    explicit recut(int n) {
      for (int i = 0; i < lanes; ++i) from_[i] = i < n ? lanes + (lanes - n + i) : i - n;
    }
    [[gnu::always_inline]] vector<T> operator()(const vector<T>& v, T* last) const {
      const auto from = _mm512_load_si512(from_);
      vector<T> result;
      if constexpr (sizeof(T) == 8)
        result = _mm512_permutex2var_pd(v, from, _mm512_load_pd(last));
      else
        result = _mm512_permutex2var_ps(v, from, _mm512_load_ps(last));
      v.store_aligned(last);
      return result;
    }
    /// Entry i < n of `last`.
    static T kept(const T* last, int n, int i) { return last[lanes - n + i]; }

   private:
    static constexpr int lanes = int(vector<T>::size);
    alignas(64) std::conditional_t<sizeof(T) == 8, long long, int> from_[lanes];
  };

  /// A non-temporal store to an aligned address.
  template <class T>
  [[gnu::always_inline]] static void stream(T* p, const vector<T>& v) {
    if constexpr (sizeof(T) == 8)
      _mm512_stream_pd(p, v);
    else
      _mm512_stream_ps(p, v);
  }
  /// A fence, before other threads may read the results of non-temporal stores.
  [[gnu::always_inline]] static void end_stream() { _mm_sfence(); }

 private:
  template <class Register>
  [[gnu::always_inline]] static void store_pieces_f64(double* p, int n, const Register& v) {
    auto half = __builtin_shufflevector(v, v, 0, 1, 2, 3);
    if (n & 4) {
      _mm256_storeu_pd(p, half);
      half = __builtin_shufflevector(v, v, 4, 5, 6, 7);
      p += 4;
    }
    auto pair = __builtin_shufflevector(half, half, 0, 1);
    if (n & 2) {
      _mm_storeu_pd(p, pair);
      pair = __builtin_shufflevector(half, half, 2, 3);
      p += 2;
    }
    if (n & 1) *p = pair[0];
  }
  template <class Register>
  [[gnu::always_inline]] static void store_pieces_f32(float* p, int n, const Register& v) {
    auto half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
    if (n & 8) {
      _mm256_storeu_ps(p, half);
      half = __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
      p += 8;
    }
    auto quarter = __builtin_shufflevector(half, half, 0, 1, 2, 3);
    if (n & 4) {
      _mm_storeu_ps(p, quarter);
      quarter = __builtin_shufflevector(half, half, 4, 5, 6, 7);
      p += 4;
    }
    if (n & 2) {
      _mm_storel_pi(reinterpret_cast<__m64*>(p), quarter);
      quarter = __builtin_shufflevector(quarter, quarter, 2, 3, 2, 3);
      p += 2;
    }
    if (n & 1) *p = quarter[0];
  }
  [[gnu::always_inline]] static __mmask8 first8(int n) { return __mmask8((1u << n) - 1u); }
  [[gnu::always_inline]] static __mmask16 first16(int n) { return __mmask16((1u << n) - 1u); }
};

}  // namespace tessera::simd
