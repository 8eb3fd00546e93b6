// SPDX-License-Identifier: BSD-3-Clause
// half to float and back, with the instructions of NEON, which every SVE processor has.
#pragma once

#include <tessera/cpu/detail/half_aarch64.hpp>
#include <tessera/cpu/detail/isa_sve512.hpp>

#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
namespace tessera::simd {

template <class Where>
struct half_vector<sve512<Where>> : half_of_aarch64 {};

}  // namespace tessera::simd
#endif
