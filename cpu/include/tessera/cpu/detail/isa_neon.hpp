// SPDX-License-Identifier: BSD-3-Clause
// 64-bit NEON for kernels: two doubles or four floats, multiply-add, partial loads and stores lane by lane.
// For all that includes this header, floats are divided by fdiv and square roots are fsqrt's, both rounded correctly:
// xsimd's steps from an estimate (8.1 to 14.3), made for 32-bit ARM, give NaN for sqrt(inf) and inexact quotients.
#pragma once

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

#if XSIMD_WITH_NEON64
namespace xsimd::kernel {

template <>
inline batch<float, neon64> div<neon64>(const batch<float, neon64>& a, const batch<float, neon64>& b,
                                        requires_arch<neon>) noexcept {
  return vdivq_f32(a, b);
}
template <>
inline batch<float, neon64> sqrt<neon64>(const batch<float, neon64>& a, requires_arch<neon>) noexcept {
  return vsqrtq_f32(a);
}

}  // namespace xsimd::kernel
#endif

namespace tessera::simd {

/// `Where` identifies the translation unit: kernels compiled with different flags must not be merged.
template <class Where>
struct neon {
  static constexpr target name = target::neon;
  static constexpr int registers = 32;
  static constexpr bool fused = true;
  static constexpr bool recuts = false;  // a sequence of vectors
  template <class T>
  using vector = xsimd::batch<T, xsimd::neon64>;

  template <class T>
  [[gnu::always_inline]] static vector<T> fma(const vector<T>& a, const vector<T>& b, const vector<T>& c) {
    if constexpr (sizeof(T) == 8)
      return vfmaq_f64(c, a, b);
    else
      return vfmaq_f32(c, a, b);
  }

  /// p[0 .. n) and zero in the other lanes, whose memory is not accessed.
  template <class T>
  [[gnu::always_inline]] static vector<T> load_first(const T* p, int n) {
    if constexpr (sizeof(T) == 8) {
      return vsetq_lane_f64(p[0], vdupq_n_f64(T(0)), 0);
    } else {
      auto v = vsetq_lane_f32(p[0], vdupq_n_f32(T(0)), 0);
      if (n > 1) v = vsetq_lane_f32(p[1], v, 1);
      if (n > 2) v = vsetq_lane_f32(p[2], v, 2);
      return v;
    }
  }
  template <class T>
  [[gnu::always_inline]] static void store_first(T* p, int n, const vector<T>& v) {
    if constexpr (sizeof(T) == 8) {
      vst1q_lane_f64(p, v, 0);
    } else {
      vst1q_lane_f32(p, v, 0);
      if (n > 1) vst1q_lane_f32(p + 1, v, 1);
      if (n > 2) vst1q_lane_f32(p + 2, v, 2);
    }
  }

  /// The same as store_first; they differ if store_first is a masked store (AVX-512).
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    store_first(p, n, v);
  }

  /// An ordinary store: cores that detect writes of whole lines skip the fetch by themselves, and g++ has no intrinsic
  /// for the non-temporal pair store.
  template <class T>
  [[gnu::always_inline]] static void stream(T* p, const vector<T>& v) {
    v.store_aligned(p);
  }
  [[gnu::always_inline]] static void end_stream() {}
};

}  // namespace tessera::simd
