// SPDX-License-Identifier: BSD-3-Clause
// The limit kernels compiled for NEON. The compiler has no streaming store for it, so ordinary ones stand in.
#include "measure/limits/kernels.hpp"

namespace tessera::bench {

namespace {

void ordinary(double* to, vector_of<long long, 16>::type v) {
  *reinterpret_cast<vector_of<long long, 16>::memory*>(to) = v;
}

}  // namespace

const isa_kernels& neon_kernels() {
  static constexpr isa_kernels kernels = movement<16, ordinary>::table("neon", false);
  return kernels;
}

}  // namespace tessera::bench
