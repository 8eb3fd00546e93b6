// SPDX-License-Identifier: BSD-3-Clause
// 64-bit NEON as kernels see it: two doubles or four floats, multiply-add, first lanes by pieces.
#pragma once

#include <arm_neon.h>

#include <xsimd/xsimd.hpp>

#include <tessera/target.hpp>

namespace tessera::simd {

/// `Where` tells who instantiates: kernels of different translation units with different flags must not be merged.
template <class Where>
struct neon {
  static constexpr target name = target::neon;
  static constexpr int registers = 32;
  template <class T>
  using vector = xsimd::batch<T, xsimd::neon64>;
  using f64 = vector<double>;
  using f32 = vector<float>;

  [[gnu::always_inline]] static f64 fma(const f64& a, const f64& b, const f64& c) { return vfmaq_f64(c, a, b); }
  [[gnu::always_inline]] static f32 fma(const f32& a, const f32& b, const f32& c) { return vfmaq_f32(c, a, b); }

  /// p[0 .. n), zero in the other lanes, which are not touched in memory.
  [[gnu::always_inline]] static f64 load_first(const double* p, int) { return vsetq_lane_f64(*p, vdupq_n_f64(0), 0); }
  [[gnu::always_inline]] static f32 load_first(const float* p, int n) {
    float32x4_t v = vsetq_lane_f32(p[0], vdupq_n_f32(0), 0);
    if (n > 1) v = vsetq_lane_f32(p[1], v, 1);
    if (n > 2) v = vsetq_lane_f32(p[2], v, 2);
    return v;
  }
  [[gnu::always_inline]] static void store_first(double* p, int, const f64& v) { vst1q_lane_f64(p, v, 0); }
  [[gnu::always_inline]] static void store_first(float* p, int n, const f32& v) {
    vst1q_lane_f32(p, v, 0);
    if (n > 1) vst1q_lane_f32(p + 1, v, 1);
    if (n > 2) vst1q_lane_f32(p + 2, v, 2);
  }
  /// For ISAs whose store_first is one masked instruction the two differ.
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    store_first(p, n, v);
  }
};

}  // namespace tessera::simd
