// SPDX-License-Identifier: BSD-3-Clause
// The specialised gemm row: packed column-major operands of sizes known when the library was built.
#pragma once

#include <tessera/cpu/job.hpp>
#include <tessera/cpu/panels.hpp>
#include <tessera/cpu/plain.hpp>

namespace tessera::simd {

/// A compile-time size of a row: 0 stands for any.
template <index_t Size>
[[gnu::always_inline]] inline auto size_or([[maybe_unused]] index_t value) {
  if constexpr (Size > 0)
    return constant<Size>{};
  else
    return value;
}

// Loop steps that follow each other at constant distances in all operands: the fastest loop digit.
template <class Isa, class T>
[[gnu::always_inline]] inline index_t steps_in_line(const problem<T>& p) {
  const run_time_map &a = p.left[0].map, &b = p.right[0].map, &out = p.out.map;
  const bool same = a.loop_rank > 0 && b.loop_rank > 0 && out.loop_rank > 0 && a.loop_extent[0] == b.loop_extent[0] &&
                    a.loop_extent[0] == out.loop_extent[0];
  return same ? a.loop_extent[0] : 1;
}

// Loop steps and interleaved batches as batches of their own, run by `row`.
template <class Isa, class T>
[[gnu::noinline]] void run_by_lines(const problem<T>& p, index_t first, index_t last,
                                    void (*row)(const problem<T>&, index_t, index_t)) {
  const index_t steps = steps_in_line<Isa>(p);
  const auto line = [steps](const auto& o, index_t e, index_t l) __attribute__((always_inline)) {
    auto moved = o;
    moved.data += (e / o.lanes) * o.batch_stride + e % o.lanes + loop_offset<Isa>(o.map, l);
    moved.batch_stride = steps > 1 ? o.map.loop_stride[0] : 0;
    moved.lanes = 1;
    return moved;
  };
  problem<T> part = p;
  part.loops = 1;
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < p.loops; l += steps) {
      part.left[0] = line(p.left[0], e, l);
      part.right[0] = line(p.right[0], e, l);
      part.out = line(p.out, e, l);
      row(part, 0, steps);
    }
}

template <index_t M, index_t N, index_t K, class T>
[[gnu::always_inline]] inline bool is_packed_batch(const problem<T>& p) {
  return p.left[0].batch_stride == M * K && p.right[0].batch_stride == K * N && p.out.batch_stride == M * N;
}

/// Batch entries [first, last) of a problem that `accepts` has matched with this row: one factor a side, packed maps.
template <class Isa, class T, index_t M, index_t N, index_t K, cpu_gemm_tuning tuning>
void specialised_gemm(const problem<T>& p, index_t first, index_t last) {
  const scale<T> s{p.alpha, p.beta};
  const factor<const T>&left = p.left[0], &right = p.right[0];
  if (p.loops != 1 || left.lanes != 1 || right.lanes != 1 || p.out.lanes != 1)
    return run_by_lines<Isa>(p, first, last, &specialised_gemm<Isa, T, M, N, K, tuning>);
  const auto each = [&](auto f) __attribute__((always_inline)) {
    const index_t a_stride = left.batch_stride, b_stride = right.batch_stride, out_stride = p.out.batch_stride;
    const T *a = left.data + first * a_stride, *b = right.data + first * b_stride;
    T* out = p.out.data + first * out_stride;
    for (index_t e = first; e < last; ++e, a += a_stride, b += b_stride, out += out_stride) f(a, b, out);
  };
  if constexpr (tuning.plain) {
    const auto run = [&](auto mode) __attribute__((always_inline)) {
      // With strides that it knows the compiler may put several matrices in a vector (f32, n = 2: 2.3 times as fast).
      if (is_packed_batch<M, N, K>(p)) {
        for (index_t e = first; e < last; ++e)
          plain_multiply<Isa, plain_mode(mode.value), M, N, K>(left.data + e * (M * K), right.data + e * (K * N),
                                                               p.out.data + e * (M * N));
        return;
      }
      each([&](const T* a, const T* b, T* out)
               __attribute__((always_inline)) { plain_multiply<Isa, plain_mode(mode.value), M, N, K>(a, b, out); });
    };
    if (s.alpha == T(1) && s.beta == T(0)) return run(constant<index_t(plain_mode::assign)>{});
    if (s.alpha == T(1) && s.beta == T(1)) return run(constant<index_t(plain_mode::add)>{});
  }
  // Also plain rows with another alpha or beta: as a loop g++ 12 spills that.
  const auto n = size_or<N>(p.n);
  each([&](const T* a, const T* b, T* out) __attribute__((always_inline)) {
    using packed =
        product<T, constant<M>, decltype(n), constant<K>, constant<M>, constant<1>, constant<K>, constant<M>>;
    multiply<Isa, tuning, T>(packed{{}, n, {}, a, {}, b, {}, {}, out, {}}, s);
  });
}

}  // namespace tessera::simd
