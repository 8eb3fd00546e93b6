// SPDX-License-Identifier: BSD-3-Clause
// How a row runs over its batch: in tasks of a few products, with results stored in place or by non-temporal stores.
#pragma once

#include <tessera/cpu/detail/line_stream.hpp>
#include <tessera/detail/problem.hpp>
#include <tessera/detail/tuning.hpp>

namespace tessera::simd {

/// f(e) for e in [first, last), `matrices` of them in straight-line code.
template <int matrices, class F>
[[gnu::always_inline]] inline void each_product(index_t first, index_t last, const F& f) {
  index_t e = first;
  if constexpr (matrices > 1)
    for (; e + matrices <= last; e += matrices)
      unrolled<matrices>([&](auto i) __attribute__((always_inline)) { f(e + i); });
  for (; e < last; ++e) f(e);
}

/// f(a, b, out) for batch entries [first, last).
template <int matrices, class T, class F>
[[gnu::always_inline]] inline void each_in_place(const problem<T>& p, index_t first, index_t last, const F& f) {
  const index_t a_stride = p.left[0].batch_stride, b_stride = p.right[0].batch_stride, out_stride = p.out.batch_stride;
  const T *a = p.left[0].data + first * a_stride, *b = p.right[0].data + first * b_stride;
  T* out = p.out.data + first * out_stride;
  each_product<matrices>(
      first, last, [&](index_t) __attribute__((always_inline)) {
        f(a, b, out);
        a += a_stride, b += b_stride, out += out_stride;
      });
}

/// The most entries of a task with non-temporal stores: they fit L1 beside the operands.
inline constexpr index_t most_streamed = 2048;

/// True if a row of this size (N = 0: any) writes C = A B by non-temporal stores.
template <index_t M, index_t N, cpu_gemm_tuning tuning>
constexpr bool can_stream() {
  return tuning.stream != 0 && tuning.matrices * M * N <= most_streamed;
}

/// True if can_stream() holds and these matrices are consecutive.
template <index_t M, cpu_gemm_tuning tuning, class T>
[[gnu::always_inline]] inline bool may_stream(const problem<T>& p) {
  return p.beta == T(0) && p.out.batch_stride == M * p.n && tuning.matrices * M * p.n <= most_streamed;
}

/// Prefetches the packed A (M, K) of a product about 2 KiB ahead, for a row that loads no full vector of A: masked
/// loads do not start the hardware prefetcher (Zen 5, f64, n = 5, from memory: 25 against 17 ns in place, 10 ns with
/// non-temporal stores).
template <class Isa, index_t M, index_t K, class T>
[[gnu::always_inline]] inline void prefetch_ahead(const T* a, index_t a_stride) {
  constexpr index_t bytes = M * K * index_t(sizeof(T)), distance = (2048 + bytes - 1) / bytes;
  for (index_t i = 0; i < M * K; i += line_stream<Isa, T>::line) __builtin_prefetch(a + distance * a_stride + i);
}

/// The smallest alignment, a power of two up to a page, with which so many bytes cross no page boundary if they fit in
/// a page: results are stored unaligned, and a store across pages costs Zen 3 about a hundred cycles (f64, n = 9: 75 ns
/// a product became 115 to 150 in one process of six, depending on the address of its stack).
constexpr index_t page_alignment(index_t bytes) {
  index_t alignment = 64;
  while (alignment < bytes && alignment < 4096) alignment *= 2;
  return alignment;
}

/// f(e, place) for e in [first, last): the M x n matrix at `place` becomes entry e of the packed batch `out`.
template <class Isa, index_t M, index_t N, cpu_gemm_tuning tuning, class T, class F>
[[gnu::always_inline]] inline void each_streamed(T* out, index_t n, index_t first, index_t last, const F& f) {
  using stream = line_stream<Isa, T>;
  constexpr int matrices = tuning.matrices;
  constexpr index_t most = N > 0 ? matrices * M * N : most_streamed;
  constexpr index_t entries = (most + stream::line - 1) / stream::line * stream::line + stream::line;
  alignas(page_alignment(entries * index_t(sizeof(T)))) T buffer[entries];
  const index_t size = N > 0 ? M * N : M * n;
  stream results(out + first * size, buffer);
  index_t e = first;
  for (; e + matrices <= last; e += matrices) {
    unrolled<matrices>([&](auto i) __attribute__((always_inline)) { f(e + i, results.place() + i * size); });
    results.add(matrices * size);
  }
  if constexpr (matrices > 1)
    for (; e < last; ++e) {
      f(e, results.place());
      results.add(size);
    }
  results.finish();
}

}  // namespace tessera::simd
