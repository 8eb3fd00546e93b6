// SPDX-License-Identifier: BSD-3-Clause
// The limit kernels compiled for avx512: this file alone gets that instruction set's flags.
#include <immintrin.h>

#include "measure/limits/kernels.hpp"

namespace tessera::bench {

namespace {

void stream(double* to, vector_of<long long, 64>::type v) { _mm512_stream_pd(to, reinterpret_cast<__m512d>(v)); }

}  // namespace

const isa_kernels& avx512_kernels() {
  static constexpr isa_kernels kernels = movement<64, stream>::table("avx512", true);
  return kernels;
}

}  // namespace tessera::bench
