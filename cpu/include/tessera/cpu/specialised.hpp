// SPDX-License-Identifier: BSD-3-Clause
// The specialised gemm row: packed column-major operands of sizes known when the library was built.
#pragma once

#include <tessera/cpu/panels.hpp>
#include <tessera/cpu/plain.hpp>
#include <tessera/problem.hpp>

namespace tessera::simd {

/// A run-time map's loop offset, without a call into code that other translation units share.
template <class Isa>
[[gnu::always_inline]] inline index_t loop_offset(const run_time_map& map, index_t l) {
  index_t sum = 0;
  for (int i = 0; i < map.loop_rank; ++i) {
    sum += l % map.loop_extent[i] * map.loop_stride[i];
    l /= map.loop_extent[i];
  }
  return sum;
}

/// A compile-time size of a row: 0 stands for any.
template <index_t Size>
[[gnu::always_inline]] inline auto size_or([[maybe_unused]] index_t value) {
  if constexpr (Size > 0)
    return constant<Size>{};
  else
    return value;
}

// f(a, b, out) for the products of batch entries [first, last).
template <class Isa, class T, class F>
[[gnu::always_inline]] inline void each_product(const problem<T>& p, index_t first, index_t last, F f) {
  const factor<const T>&left = p.left[0], &right = p.right[0];
  if (p.loops == 1 && left.lanes == 1 && right.lanes == 1 && p.out.lanes == 1) {
    const index_t a_stride = left.batch_stride, b_stride = right.batch_stride, out_stride = p.out.batch_stride;
    const T *a = left.data + first * a_stride, *b = right.data + first * b_stride;
    T* out = p.out.data + first * out_stride;
    for (index_t e = first; e < last; ++e, a += a_stride, b += b_stride, out += out_stride) f(a, b, out);
    return;
  }
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < p.loops; ++l)
      f(left.data + batch_start(e, left.batch_stride, left.lanes) + loop_offset<Isa>(left.map, l),
        right.data + batch_start(e, right.batch_stride, right.lanes) + loop_offset<Isa>(right.map, l),
        p.out.data + batch_start(e, p.out.batch_stride, p.out.lanes) + loop_offset<Isa>(p.out.map, l));
}

template <index_t M, index_t N, index_t K, class T>
[[gnu::always_inline]] inline bool is_packed_batch(const problem<T>& p) {
  const bool one_lane = p.left[0].lanes == 1 && p.right[0].lanes == 1 && p.out.lanes == 1;
  return p.loops == 1 && one_lane && p.left[0].batch_stride == M * K && p.right[0].batch_stride == K * N &&
         p.out.batch_stride == M * N;
}

/// Batch entries [first, last) of a problem that `accepts` has matched with this row: one factor a side, packed maps.
template <class Isa, class T, index_t M, index_t N, index_t K, cpu_gemm_tuning tuning>
void specialised_gemm(const problem<T>& p, index_t first, index_t last) {
  const scale<T> s{p.alpha, p.beta};
  if constexpr (tuning.plain) {
    const auto run = [&](auto mode) __attribute__((always_inline)) {
      // With strides that it knows the compiler may put several matrices in a vector (f32, n = 2: 2.3 times as fast).
      if (is_packed_batch<M, N, K>(p)) {
        for (index_t e = first; e < last; ++e)
          plain_multiply<Isa, plain_mode(mode.value), M, N, K>(p.left[0].data + e * (M * K), p.right[0].data + e * (K * N),
                                                               p.out.data + e * (M * N), s);
        return;
      }
      each_product<Isa>(p, first, last, [&](const T* a, const T* b, T* out) __attribute__((always_inline)) {
        plain_multiply<Isa, plain_mode(mode.value), M, N, K>(a, b, out, s);
      });
    };
    if (s.alpha == T(1) && s.beta == T(0))
      run(constant<index_t(plain_mode::assign)>{});
    else if (s.alpha == T(1) && s.beta == T(1))
      run(constant<index_t(plain_mode::add)>{});
    else
      run(constant<index_t(plain_mode::any)>{});
  } else {
    const auto n = size_or<N>(p.n);
    each_product<Isa>(p, first, last, [&](const T* a, const T* b, T* out) __attribute__((always_inline)) {
      using packed = product<T, constant<M>, decltype(n), constant<K>, constant<M>, constant<1>, constant<K>, constant<M>>;
      multiply<Isa, tuning, T>(packed{{}, n, {}, a, {}, b, {}, {}, out, {}}, s);
    });
  }
}

}  // namespace tessera::simd
