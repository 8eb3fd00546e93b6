// SPDX-License-Identifier: BSD-3-Clause
// The pointwise kernel: out(r) = alpha left(r) right(r) + beta out(r), the D step between contractions.
#pragma once

#include <tessera/cpu/detail/job.hpp>

namespace tessera::simd {

namespace detail {

// Every operand in place, with contiguous rows; all entries, tails included, get the same operations.
template <class Isa, class T>
[[gnu::always_inline]] inline void multiply_entries(const T* a, const T* b, T* out, index_t m, const scale<T>& s) {
  using vector = typename Isa::template vector<T>;
  constexpr int lanes = int(vector::size);
  const vector alpha(s.alpha), beta(s.beta);
  index_t r = 0;
  for (; r + lanes <= m; r += lanes) {
    vector value = alpha * (vector::load_unaligned(a + r) * vector::load_unaligned(b + r));
    if (s.beta != T(0)) value = Isa::fma(beta, vector::load_unaligned(out + r), value);
    value.store_unaligned(out + r);
  }
  const int tail = int(m - r);
  if (tail == 0) return;
  vector value = alpha * (Isa::load_first(a + r, tail) * Isa::load_first(b + r, tail));
  if (s.beta != T(0)) value = Isa::fma(beta, Isa::load_first(out + r, tail), value);
  Isa::store_first(out + r, tail, value);
}

// Any maps, entry by entry. Flattened so that code of an ISA emits no copy of the maps' shared functions.
template <class Isa, class T, class Job>
[[gnu::noinline, gnu::flatten]] void multiply_scattered(const Job& j, index_t first, index_t last) {
  for (index_t e = first; e < last; ++e) {
    const T *a = start_of<Isa>(j.left.first, e), *b = start_of<Isa>(j.right.first, e);
    T* out = start_of<Isa>(j.out, e);
    for (index_t l = 0; l < j.loops; ++l)
      for (index_t r = 0; r < j.m; ++r) {
        T& entry = out[j.out.map.offset(r, 0, l)];
        const T value = j.s.alpha * (a[j.left.first.map.offset(r, 0, l)] * b[j.right.first.map.offset(r, 0, l)]);
        entry = j.s.beta == T(0) ? value : value + j.s.beta * entry;
      }
  }
}

template <class Isa, class Operand>
[[gnu::always_inline]] inline bool is_contiguous(const Operand& o, index_t m) {
  return is_affine<Isa>(o.map) && (m <= 1 || row_stride_of<Isa>(o.map) == 1);
}

}  // namespace detail

/// Batch entries [first, last) of a pointwise job: n = k = 1, one factor a side.
template <class Isa, class T, class M, class N, class K, class Left, class Right, class Out>
[[gnu::always_inline]] inline void pointwise(const job<T, M, N, K, Left, Right, Out>& j, index_t first, index_t last) {
  const auto& left = j.left.first;
  const auto& right = j.right.first;
  if (!detail::is_contiguous<Isa>(left, j.m) || !detail::is_contiguous<Isa>(right, j.m) ||
      !detail::is_contiguous<Isa>(j.out, j.m))
    return detail::multiply_scattered<Isa, T>(j, first, last);
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < j.loops; ++l)
      detail::multiply_entries<Isa>(start_of<Isa>(left, e) + loop_offset<Isa>(left.map, l),
                                    start_of<Isa>(right, e) + loop_offset<Isa>(right.map, l),
                                    start_of<Isa>(j.out, e) + loop_offset<Isa>(j.out.map, l), j.m, j.s);
}

/// The row for run-time problems.
template <class Isa, class T>
void pointwise_row(const problem<T>& p, index_t first, index_t last) {
  pointwise<Isa, T>(job_of<Isa>(p), first, last);
}

}  // namespace tessera::simd
