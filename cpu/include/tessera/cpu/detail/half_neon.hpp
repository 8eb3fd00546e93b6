// SPDX-License-Identifier: BSD-3-Clause
// half to float and back, with the instructions of NEON.
#pragma once

#include <tessera/cpu/detail/half_aarch64.hpp>
#include <tessera/cpu/detail/isa_neon.hpp>

#if defined(__aarch64__)
namespace tessera::simd {

template <class Where>
struct half_vector<neon<Where>> : half_of_aarch64 {};

}  // namespace tessera::simd
#endif
