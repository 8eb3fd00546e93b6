// SPDX-License-Identifier: BSD-3-Clause
// The constexpr triple loop, vectorised by the compiler for the ISA: the fastest kernel at the smallest sizes.
#pragma once

#include <tessera/cpu/detail/tile.hpp>

namespace tessera::simd {

enum class plain_mode { assign, add };

/// out = a b or out += a b, all packed column-major. `add` starts the sums from out, so that it costs no extra step.
template <class Isa, plain_mode mode, index_t M, index_t N, index_t K, class T>
[[gnu::always_inline]] inline void plain_multiply(const T* __restrict a, const T* __restrict b, T* __restrict out) {
  for (index_t j = 0; j < N; ++j)
    for (index_t i = 0; i < M; ++i) {
      T sum = mode == plain_mode::add ? out[i + j * M] : T(0);
      for (index_t l = 0; l < K; ++l) sum += a[i + l * M] * b[l + j * K];
      out[i + j * M] = sum;
    }
}

}  // namespace tessera::simd
