// SPDX-License-Identifier: BSD-3-Clause
// The limit kernels compiled for sse2: this file alone gets that instruction set's flags.
#include <emmintrin.h>

#include "measure/limits/kernels.hpp"

namespace tessera::bench {

namespace {

void stream(double* to, vector_of<long long, 16>::type v) { _mm_stream_pd(to, reinterpret_cast<__m128d>(v)); }

}  // namespace

const isa_kernels& sse2_kernels() {
  static constexpr isa_kernels kernels = movement<16, stream>::table("sse2", true);
  return kernels;
}

}  // namespace tessera::bench
