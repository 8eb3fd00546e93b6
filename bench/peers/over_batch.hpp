// SPDX-License-Identifier: BSD-3-Clause
// Splits a peer's batch over OpenMP threads in contiguous ranges, like Tessera.
#pragma once

#include "peers/peer.hpp"

namespace tessera::bench {

/// run(first, last) on each thread.
template <class Run>
void over_ranges(const gemm_call& call, const Run& run) {
  if (call.threads == 1) return run(index_t(0), call.batch);
#pragma omp parallel for schedule(static) num_threads(call.threads)
  for (int t = 0; t < call.threads; ++t) run(call.batch * t / call.threads, call.batch * (t + 1) / call.threads);
}

/// one(a, b, c) for each single product.
template <class T, class One>
void over_products(const gemm_call& call, const One& one) {
  over_ranges(call, [&](index_t first, index_t last) {
    const T* const a = static_cast<const T*>(call.a);
    const T* const b = static_cast<const T*>(call.b);
    T* const c = static_cast<T*>(call.c);
    for (index_t e = first; e < last; ++e)
      for (index_t r = 0; r < call.rounds; ++r)
        for (index_t l = 0; l < call.loops; ++l)
          one(a + e * call.stride_a + r * call.round_a + l * call.loop_a,
              b + e * call.stride_b + r * call.round_b + l * call.loop_b,
              c + e * call.stride_c + r * call.round_c + l * call.loop_c);
  });
}

}  // namespace tessera::bench
