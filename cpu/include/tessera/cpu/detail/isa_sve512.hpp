// SPDX-License-Identifier: BSD-3-Clause
// SVE with vectors of 512 bits for kernels.
#pragma once

#include <tessera/cpu/detail/isa_sve.hpp>

#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
namespace tessera::simd {

/// `Where` identifies the translation unit: kernels compiled with different flags must not be merged.
template <class Where>
using sve512 = sve<Where, 512>;

}  // namespace tessera::simd
#endif
