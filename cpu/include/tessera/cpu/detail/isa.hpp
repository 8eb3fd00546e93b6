// SPDX-License-Identifier: BSD-3-Clause
// The instruction set that this translation unit is compiled for, which contract<> uses.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && \
    defined(__AVX512VL__)
#include <tessera/cpu/detail/isa_avx512.hpp>
namespace tessera::simd {
template <class Where>
using compiled_isa = avx512<Where>;
}
#elif defined(__AVX2__) && defined(__FMA__)
#include <tessera/cpu/detail/isa_avx2.hpp>
namespace tessera::simd {
template <class Where>
using compiled_isa = avx2<Where>;
}
#elif defined(__SSE2__)
#include <tessera/cpu/detail/isa_sse2.hpp>
namespace tessera::simd {
template <class Where>
using compiled_isa = sse2<Where>;
}
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 512
#include <tessera/cpu/detail/isa_sve512.hpp>
namespace tessera::simd {
template <class Where>
using compiled_isa = sve512<Where>;
}
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 256
#include <tessera/cpu/detail/isa_sve256.hpp>
namespace tessera::simd {
template <class Where>
using compiled_isa = sve256<Where>;
}
#elif defined(__aarch64__)
#include <tessera/cpu/detail/isa_neon.hpp>
namespace tessera::simd {
template <class Where>
using compiled_isa = neon<Where>;
}
#else
#error "tessera: no SIMD instruction set known for this compile target"
#endif

namespace tessera::simd {

struct inline_code;

/// Every kernel of contract<> is a template over this type, so that translation units compiled for different
/// instruction sets link together.
using native_isa = compiled_isa<inline_code>;

}  // namespace tessera::simd
