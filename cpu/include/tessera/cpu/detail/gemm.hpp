// SPDX-License-Identifier: BSD-3-Clause
// The gemm kernel: a batch of products over any address functors. Operands that tiles cannot read in place are packed
// first.
#pragma once

#include <tessera/cpu/detail/pack.hpp>
#include <tessera/cpu/detail/panels.hpp>
#include <tessera/cpu/detail/repeats.hpp>

namespace tessera::simd {

namespace detail {

inline constexpr index_t buffer_entries = 4096;  // 32 KiB of doubles for each operand

// One factor, affine, with contiguous rows: a tile loads it in place. A single row is always contiguous.
template <class Isa, class First, class Second>
[[gnu::always_inline]] inline bool has_contiguous_rows(const side<First, Second>& s, index_t m) {
  return s.factors == 1 && is_affine<Isa>(s.first.map) && (m <= 1 || row_stride_of<Isa>(s.first.map) == 1);
}
template <class Isa, class First, class Second>
[[gnu::always_inline]] inline bool is_strided_side(const side<First, Second>& s) {
  return s.factors == 1 && is_affine<Isa>(s.first.map);
}
template <class Isa, class Operand>
[[gnu::always_inline]] inline bool is_contiguous_output(const Operand& out, index_t m) {
  return is_affine<Isa>(out.map) && (m <= 1 || row_stride_of<Isa>(out.map) == 1);
}

// Every operand in place.
template <class Isa, cpu_gemm_tuning tuning, class T, class Job>
[[gnu::always_inline]] inline void run_direct(const Job& j, index_t first, index_t last) {
  const auto& left = j.left.first;
  const auto& right = j.right.first;
  const auto a_column = col_stride_of<Isa>(left.map);
  const auto b_row = row_stride_of<Isa>(right.map);
  const auto b_column = col_stride_of<Isa>(right.map);
  const auto out_column = col_stride_of<Isa>(j.out.map);
  using direct = product<T, decltype(j.m), decltype(j.n), decltype(j.k), decltype(a_column), decltype(b_row),
                         decltype(b_column), decltype(out_column)>;
  // Local copies, because stores of vectors may alias everything in memory.
  const auto m = j.m;
  const auto n = j.n;
  const auto k = j.k;
  const scale<T> s = j.s;
  const index_t loops = j.loops;
  for (index_t e = first; e < last; ++e) {
    const T *a = start_of<Isa>(left, e), *b = start_of<Isa>(right, e);
    T* out = start_of<Isa>(j.out, e);
    for (index_t l = 0; l < loops; ++l)
      multiply<Isa, tuning, T>(
          direct{m, n, k, a + loop_offset<Isa>(left.map, l), a_column, b + loop_offset<Isa>(right.map, l), b_row,
                 b_column, out + loop_offset<Isa>(j.out.map, l), out_column},
          s);
  }
}

// Sizes that fit the buffers stay static; others are split into chunks.
template <class T, class M, class N, class K>
constexpr bool fits_whole() {
  if constexpr (is_static<M> && is_static<N> && is_static<K>)
    return K::value <= k_chunk && (M::value + 63) / 64 * 64 * K::value <= buffer_entries &&
           K::value * N::value <= buffer_entries && M::value * N::value <= buffer_entries;
  else
    return false;
}

template <class Size>
[[gnu::always_inline]] inline auto piece(Size total, [[maybe_unused]] index_t at, [[maybe_unused]] index_t chunk) {
  if constexpr (is_static<Size>)
    return total;
  else
    return total - at < chunk ? total - at : chunk;
}

[[gnu::always_inline]] inline index_t smaller(index_t a, index_t b) { return a < b ? a : b; }

// A side as tiles read it: in place if strides allow, else a window of it in a buffer, refilled when the window moves.
template <class Isa, class T, class Side>
struct staged {
  const Side& of;
  bool in_place;
  T* buffer;
  position<T> held;

  [[gnu::always_inline]] const T* get(index_t e, index_t l, const window& w, index_t ld) {
    if (in_place)
      return start_of<Isa>(of.first, e) + loop_offset<Isa>(of.first.map, l) +
             w.row * index_t(row_stride_of<Isa>(of.first.map)) + w.col * index_t(col_stride_of<Isa>(of.first.map));
    const position<T> wanted = position_of<Isa, T>(of, e, l, w);
    if (!same_place<Isa>(held, wanted)) pack<Isa>(of, e, l, w, buffer, ld);
    held = wanted;
    return buffer;
  }
};

// Any operands. A k above k_chunk is accumulated in the output, chunk by chunk.
template <class Isa, cpu_gemm_tuning tuning, class T, class M, class N, class K, class Job>
[[gnu::noinline]] void run_packed(M m, N n, K k, const Job& j, index_t first, index_t last) {
  constexpr index_t lanes = index_t(Isa::template vector<T>::size);
  alignas(64) T left_buffer[buffer_entries], right_buffer[buffer_entries], out_buffer[buffer_entries];
  staged<Isa, T, decltype(j.left)> left{j.left, has_contiguous_rows<Isa>(j.left, m), left_buffer, {}};
  staged<Isa, T, decltype(j.right)> right{j.right, is_strided_side<Isa>(j.right), right_buffer, {}};
  const bool out_in_place = is_contiguous_output<Isa>(j.out, m);

  const index_t k_most = k > 0 ? smaller(k, k_chunk) : 1;
  const index_t m_most = smaller(buffer_entries / k_most / lanes * lanes, 256);
  const index_t n_most = smaller(buffer_entries / k_most, buffer_entries / m_most);
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < j.loops; ++l) {
      index_t k_at = 0;
      do {
        const auto depth = piece(k, k_at, k_most);
        const scale<T> s{j.s.alpha, k_at == 0 ? j.s.beta : T(1)};
        for (index_t row = 0; row < m; row += m_most) {
          const auto rows = piece(m, row, m_most);
          const index_t left_column =
              left.in_place ? index_t(col_stride_of<Isa>(j.left.first.map)) : (rows + lanes - 1) / lanes * lanes;
          const T* a = left.get(e, l, {row, rows, k_at, depth}, left_column);
          for (index_t col = 0; col < n; col += n_most) {
            const auto cols = piece(n, col, n_most);
            const T* b = right.get(e, l, {k_at, depth, col, cols}, depth);
            const index_t b_row = right.in_place ? index_t(row_stride_of<Isa>(j.right.first.map)) : 1;
            const index_t b_column = right.in_place ? index_t(col_stride_of<Isa>(j.right.first.map)) : index_t(depth);
            T* out = out_buffer;
            index_t out_column = rows;
            if (out_in_place) {
              out_column = col_stride_of<Isa>(j.out.map);
              out = start_of<Isa>(j.out, e) + loop_offset<Isa>(j.out.map, l) + row + col * out_column;
            }
            using any = product<T, decltype(rows), decltype(cols), decltype(depth), index_t, index_t, index_t, index_t>;
            multiply<Isa, tuning, T>(any{rows, cols, depth, a, left_column, b, b_row, b_column, out, out_column},
                                     out_in_place ? s : scale<T>{});
            if (!out_in_place) scatter<Isa>(out_buffer, j.out, e, l, {row, rows, col, cols}, s);
          }
        }
        k_at += depth;
      } while (k_at < k);
    }
}

}  // namespace detail

/// Batch entries [first, last) of a job.
template <class Isa, cpu_gemm_tuning tuning, class T, class M, class N, class K, class Left, class Right, class Out>
[[gnu::always_inline]] inline void gemm(const job<T, M, N, K, Left, Right, Out>& j, index_t first, index_t last) {
  const bool direct = detail::has_contiguous_rows<Isa>(j.left, j.m) && detail::is_strided_side<Isa>(j.right) &&
                      detail::is_contiguous_output<Isa>(j.out, j.m);
  if (direct) return detail::run_direct<Isa, tuning, T>(j, first, last);
  if constexpr (detail::fits_whole<T, M, N, K>())
    detail::run_packed<Isa, tuning, T>(j.m, j.n, j.k, j, first, last);
  else
    detail::run_packed<Isa, tuning, T>(index_t(j.m), index_t(j.n), index_t(j.k), j, first, last);
}

}  // namespace tessera::simd
