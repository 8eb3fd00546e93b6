// SPDX-License-Identifier: BSD-3-Clause
// The specialised gemm row: packed column-major operands of sizes known when the library was built.
#pragma once

#include <tessera/cpu/detail/job.hpp>
#include <tessera/cpu/detail/panels.hpp>
#include <tessera/cpu/detail/plain.hpp>
#include <tessera/cpu/detail/tasks.hpp>

namespace tessera::simd {

/// A compile-time size of a row: 0 means any.
template <index_t Size>
[[gnu::always_inline]] inline auto size_or([[maybe_unused]] index_t value) {
  if constexpr (Size > 0)
    return constant<Size>{};
  else
    return value;
}

// Loop steps at constant distances in all operands: the fastest loop digit.
template <class Isa, class T>
[[gnu::always_inline]] inline index_t steps_in_line(const problem<T>& p) {
  const run_time_map &a = p.left[0].map, &b = p.right[0].map, &out = p.out.map;
  const bool same = a.loop_rank > 0 && b.loop_rank > 0 && out.loop_rank > 0 && a.loop_extent[0] == b.loop_extent[0] &&
                    a.loop_extent[0] == out.loop_extent[0];
  return same ? a.loop_extent[0] : 1;
}

// True where the steps of a batch entry are followed by those of the next one.
template <class Operand>
constexpr bool continues(const Operand& o, index_t steps) {
  return o.lanes == 1 && o.map.loop_rank == 1 && o.batch_stride == o.map.loop_stride[0] * steps;
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
  // All steps of all entries at one distance: a batch.
  if (steps == p.loops && continues(p.left[0], steps) && continues(p.right[0], steps) && continues(p.out, steps)) {
    part.left[0].batch_stride = p.left[0].map.loop_stride[0];
    part.right[0].batch_stride = p.right[0].map.loop_stride[0];
    part.out.batch_stride = p.out.map.loop_stride[0];
    return row(part, first * steps, last * steps);
  }
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

// Products by the compiler's own loop, all operands in place.
template <class Isa, plain_mode mode, index_t M, index_t N, index_t K, cpu_gemm_tuning tuning, class T>
[[gnu::always_inline]] inline void plain_batch(const problem<T>& p, index_t first, index_t last) {
  const T *left = p.left[0].data, *right = p.right[0].data;
  T* const out = p.out.data;
  // With constant strides the compiler can put several matrices in a vector (f32, n = 2: 2.3 times as fast).
  if (is_packed_batch<M, N, K>(p)) {
    const auto one = [&](index_t e, T * place) __attribute__((always_inline)) {
      plain_multiply<Isa, mode, M, N, K>(left + e * (M * K), right + e * (K * N), place);
    };
    if constexpr (mode == plain_mode::assign && can_stream<M, N, tuning>())
      return each_streamed<Isa, M, N, tuning>(out, N, first, last, one);
    else
      return each_product<tuning.matrices>(
          first, last, [&](index_t e) __attribute__((always_inline)) { one(e, out + e * (M * N)); });
  }
  each_in_place<tuning.matrices>(
      p, first, last, [&](const T* a, const T* b, T* c) __attribute__((always_inline)) {
        plain_multiply<Isa, mode, M, N, K>(a, b, c);
      });
}

// Products by multiply(a, b, out, s).
template <class Isa, index_t M, index_t N, cpu_gemm_tuning tuning, class T, class Multiply>
[[gnu::always_inline]] inline void tiled_batch(const problem<T>& p, index_t first, index_t last,
                                               const Multiply& multiply) {
  const scale<T> s{p.alpha, p.beta};
  if constexpr (can_stream<M, N, tuning>() && !tuning.plain)
    if (may_stream<M, tuning>(p)) {
      const index_t a_stride = p.left[0].batch_stride, b_stride = p.right[0].batch_stride;
      const T *a = p.left[0].data, *b = p.right[0].data;
      return each_streamed<Isa, M, N, tuning>(
          p.out.data, p.n, first, last, [&](index_t e, T * place) __attribute__((always_inline)) {
            multiply(a + e * a_stride, b + e * b_stride, place, scale<T>{s.alpha, T(0)});
          });
    }
  each_in_place<tuning.matrices>(
      p, first, last, [&](const T* a, const T* b, T* out) __attribute__((always_inline)) { multiply(a, b, out, s); });
}

// Products with the same A, which stays in registers.
template <class Isa, index_t M, index_t N, index_t K, cpu_gemm_tuning tuning, class Left, class T>
[[gnu::always_inline]] inline void kept_batch(const Left& left, const problem<T>& p, index_t first, index_t last) {
  const auto columns = [&](auto n, const T* b, T* out, const scale<T>& s) __attribute__((always_inline)) {
    using packed =
        product<T, constant<M>, decltype(n), constant<K>, constant<M>, constant<1>, constant<K>, constant<M>>;
    left.template multiply<tuning.columns>(packed{{}, n, {}, nullptr, {}, b, {}, {}, out, {}}, s);
  };
  const index_t b_stride = p.right[0].batch_stride, out_stride = p.out.batch_stride;
  const bool streamed = can_stream<M, N, tuning>() && may_stream<M, tuning>(p);
  // Adjacent columns of several matrices are one product: no matrix has a remainder of a few columns.
  if (!streamed && b_stride == K * p.n && out_stride == M * p.n)
    return columns(p.n * (last - first), p.right[0].data + first * b_stride, p.out.data + first * out_stride,
                   scale<T>{p.alpha, p.beta});
  tiled_batch<Isa, M, N, tuning>(
      p, first, last, [&](const T*, const T* b, T* out, const scale<T>& s) __attribute__((always_inline)) {
        columns(size_or<N>(p.n), b, out, s);
      });
}

// A table that all products share and that is not packed, packed once; `row` does the rest. A plan that was made for a
// table may run over a batch of them, one by one.
template <class Isa, index_t M, index_t N, index_t K, class T>
[[gnu::noinline, gnu::flatten]] void run_with_tables(const problem<T>& p, index_t first, index_t last,
                                                     void (*row)(const problem<T>&, index_t, index_t)) {
  const bool left_varies = p.left[0].batch_stride != 0 && !tessera::detail::is_packed(p.left[0].map, M, K);
  const bool right_varies = p.right[0].batch_stride != 0 && N > 0 && !tessera::detail::is_packed(p.right[0].map, K, N);
  if (left_varies || right_varies) {
    for (index_t e = first; e < last; ++e) {
      problem<T> one = p;
      const auto move = [e](auto& o) __attribute__((always_inline)) {
        o.data += o.lanes == 1 ? e * o.batch_stride : e / o.lanes * o.batch_stride + e % o.lanes;
        o.batch_stride = 0, o.lanes = 1;
      };
      move(one.left[0]), move(one.right[0]), move(one.out);
      row(one, 0, 1);
    }
    return;
  }
  T left[M * K], right[N > 0 ? K * N : 1];
  problem<T> packed = p;
  const auto pack = [](factor<const T> & f, index_t rows, index_t cols, T * to) __attribute__((always_inline)) {
    if (tessera::detail::is_packed(f.map, rows, cols)) return;
    for (index_t c = 0; c < cols; ++c)
      for (index_t r = 0; r < rows; ++r) to[c * rows + r] = f.data[f.map.offset(r, c, 0)];
    f.data = to;
    f.map.table = nullptr, f.map.split_rows = f.map.split_cols = nullptr;
    f.map.row = 1, f.map.col = rows;
  };
  pack(packed.left[0], M, K, left);
  if constexpr (N > 0) pack(packed.right[0], K, N, right);
  row(packed, first, last);
}

/// Batch entries [first, last) of a problem that `accepts` has matched with this row: one factor a side, packed maps or
/// shared tables.
template <class Isa, class T, index_t M, index_t N, index_t K, cpu_gemm_tuning tuning>
void specialised_gemm(const problem<T>& p, index_t first, index_t last) {
  const factor<const T>&left = p.left[0], &right = p.right[0];
  if (!tessera::detail::is_packed(left.map, M, K) || (N > 0 && !tessera::detail::is_packed(right.map, K, N)))
    return run_with_tables<Isa, M, N, K>(p, first, last, &specialised_gemm<Isa, T, M, N, K, tuning>);
  if (p.loops != 1 || left.lanes != 1 || right.lanes != 1 || p.out.lanes != 1)
    return run_by_lines<Isa>(p, first, last, &specialised_gemm<Isa, T, M, N, K, tuning>);
  if constexpr (tuning.plain != 0) {
    if (p.alpha == T(1) && p.beta == T(0)) return plain_batch<Isa, plain_mode::assign, M, N, K, tuning>(p, first, last);
    if (p.alpha == T(1) && p.beta == T(1)) return plain_batch<Isa, plain_mode::add, M, N, K, tuning>(p, first, last);
  }
  // Also for plain rows with other alpha or beta: g++ 12 spills that loop.
  const auto n = size_or<N>(p.n);
  using packed = product<T, constant<M>, decltype(n), constant<K>, constant<M>, constant<1>, constant<K>, constant<M>>;
  if constexpr (keeps_whole_left<Isa, T, M, tuning>())
    if (left.batch_stride == 0) {
      using kept_isa = isa_of_rows<Isa, T, M, tuning>;
      // const would keep it in memory (g++ 12)
      whole_left<kept_isa, T, M, K, computes_half<kept_isa, T, M, tuning>()> kept(left.data);
      return kept_batch<Isa, M, N, K, tuning>(kept, p, first, last);
    }
  // Adjacent columns of several matrices are one product, as with a kept A, where C is one panel of rows.
  if constexpr (N == 0 && is_one_panel<Isa, T, M, tuning>())
    if (left.batch_stride == 0 && right.batch_stride == K * p.n && p.out.batch_stride == M * p.n &&
        !(can_stream<M, N, tuning>() && may_stream<M, tuning>(p)))
      return multiply<Isa, tuning, T>(packed{{},
                                             p.n * (last - first),
                                             {},
                                             left.data,
                                             {},
                                             right.data + first * right.batch_stride,
                                             {},
                                             {},
                                             p.out.data + first * p.out.batch_stride,
                                             {}},
                                      scale<T>{p.alpha, p.beta});
  tiled_batch<Isa, M, N, tuning>(
      p, first, last, [&](const T* a, const T* b, T* out, const scale<T>& s) __attribute__((always_inline)) {
        if constexpr (tuning.stream != 0 && M < index_t(Isa::template vector<T>::size))
          prefetch_ahead<Isa, M, K>(a, left.batch_stride);
        multiply<Isa, tuning, T>(packed{{}, n, {}, a, {}, b, {}, {}, out, {}}, s);
      });
}

}  // namespace tessera::simd
