// SPDX-License-Identifier: BSD-3-Clause
// The gemm kernel: a batch of products over any address functors; what tiles cannot read in place is packed first.
#pragma once

#include <tessera/cpu/pack.hpp>
#include <tessera/cpu/panels.hpp>

namespace tessera::simd {

namespace detail {

inline constexpr index_t buffer_entries = 4096;  // 32 KiB of doubles for each operand
inline constexpr index_t k_chunk = 128;

template <class First, class Second>
inline constexpr bool may_have_two = !same_type<Second, no_factor>;

// One factor, affine, its rows side by side: a tile loads it where it lies. A single row is always side by side.
template <class Isa, class First, class Second>
[[gnu::always_inline]] inline bool has_contiguous_rows(const side<First, Second>& s, index_t m) {
  return s.factors == 1 && is_affine<Isa>(s.first.map) && (m <= 1 || row_stride_of<Isa>(s.first.map) == 1);
}
template <class Isa, class First, class Second>
[[gnu::always_inline]] inline bool is_strided_side(const side<First, Second>& s) {
  return s.factors == 1 && is_affine<Isa>(s.first.map);
}
template <class Isa, class T, class Map>
[[gnu::always_inline]] inline bool is_contiguous_output(const located<T, Map>& out, index_t m) {
  return is_affine<Isa>(out.map) && (m <= 1 || row_stride_of<Isa>(out.map) == 1);
}

// Every operand where it lies.
template <class Isa, cpu_gemm_tuning tuning, class T, class Job>
[[gnu::always_inline]] inline void run_direct(const Job& j, index_t first, index_t last) {
  const auto &left = j.left.first, &right = j.right.first;
  const auto a_column = col_stride_of<Isa>(left.map), b_row = row_stride_of<Isa>(right.map);
  const auto b_column = col_stride_of<Isa>(right.map), out_column = col_stride_of<Isa>(j.out.map);
  using direct = product<T, decltype(j.m), decltype(j.n), decltype(j.k), decltype(a_column), decltype(b_row),
                         decltype(b_column), decltype(out_column)>;
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < j.loops; ++l)
      multiply<Isa, tuning, T>(
          direct{j.m, j.n, j.k, start_of<Isa>(left, e) + loop_offset<Isa>(left.map, l), a_column,
                 start_of<Isa>(right, e) + loop_offset<Isa>(right.map, l), b_row, b_column,
                 start_of<Isa>(j.out, e) + loop_offset<Isa>(j.out.map, l), out_column},
          j.s);
}

// How much of an extent a chunk takes: all of it, as a type, where that is known to fit.
template <class Size>
[[gnu::always_inline]] inline auto part_of_extent(Size total, index_t at, index_t limit) {
  if constexpr (is_static<Size>) {
    return total;
  } else {
    return total - at < limit ? total - at : limit;
  }
}

template <class Size>
inline constexpr bool fits_static(index_t) {
  return false;
}

}  // namespace detail

}  // namespace tessera::simd
