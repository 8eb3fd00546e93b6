// SPDX-License-Identifier: BSD-3-Clause
// half to float and back by the conversions that every 64-bit ARM processor has.
#pragma once

#include <tessera/cpu/detail/convert.hpp>

#if defined(__aarch64__)
#include <arm_neon.h>

namespace tessera::simd {

struct half_of_aarch64 {
  static constexpr int size = 4;

  [[gnu::always_inline]] static void load(const unsigned short* from, float* to) {
    vst1q_f32(to, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from))));
  }
  [[gnu::always_inline]] static void store(const float* from, unsigned short* to) {
    vst1_u16(to, vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(from))));
  }
  [[gnu::always_inline]] static float load_one(unsigned short bits) {
    return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(bits))), 0);
  }
  [[gnu::always_inline]] static unsigned short store_one(float value) {
    return vget_lane_u16(vreinterpret_u16_f16(vcvt_f16_f32(vdupq_n_f32(value))), 0);
  }
};

}  // namespace tessera::simd
#endif
