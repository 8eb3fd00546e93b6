// SPDX-License-Identifier: BSD-3-Clause
// The limit kernels compiled for avx2: this file alone gets that instruction set's flags.
#include <immintrin.h>

#include "measure/limits/kernels.hpp"

namespace tessera::bench {

namespace {

void stream(double* to, vector_of<long long, 32>::type v) { _mm256_stream_pd(to, reinterpret_cast<__m256d>(v)); }

}  // namespace

const isa_kernels& avx2_kernels() {
  static constexpr isa_kernels kernels = movement<32, stream>::table("avx2", true);
  return kernels;
}

}  // namespace tessera::bench
