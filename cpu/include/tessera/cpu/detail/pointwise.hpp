// SPDX-License-Identifier: BSD-3-Clause
// The pointwise kernel: out(r) = alpha left(r) right(r) + beta out(r), the D step between contractions.
#pragma once

#include <tessera/cpu/detail/added.hpp>
#include <tessera/cpu/detail/interleaved.hpp>
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
        entry = j.s.beta == T(0) ? value : added<Isa, T>(j.s.beta, entry, value);
      }
  }
}

template <class Isa, class Operand>
[[gnu::always_inline]] inline bool is_contiguous(const Operand& o, index_t m) {
  return is_affine<Isa>(o.map) && (m <= 1 || row_stride_of<Isa>(o.map) == 1);
}

/// A call over whole blocks of `lanes` batch entries, of which the operands are interleaved, contiguous or shared.
template <class Isa, class T>
struct pointwise_lanes {
  using vector = typename Isa::template vector<T>;
  static constexpr index_t width = index_t(vector::size);
  const problem<T>& p;
  index_t lanes = lanes_in(p);

  [[gnu::always_inline]] bool is_possible() const {
    return lanes % width == 0 && fits(p.left[0]) && fits(p.right[0]) && fits(p.out);
  }

  /// Blocks [first, last).
  [[gnu::always_inline]] void run(index_t first, index_t last) const {
    const scale<T> s{p.alpha, p.beta};
    for (index_t block = first; block < last; ++block)
      for (index_t l = 0; l < p.loops; ++l)
        for (index_t w = 0; w < lanes; w += width)
          multiply(rows<const T>(p.left[0], block, l, w), rows<const T>(p.right[0], block, l, w),
                   rows<T>(p.out, block, l, w), s);
  }

 private:
  template <class Entry>
  [[gnu::always_inline]] bool fits(const factor<Entry>& f) const {
    const bool contiguous = p.m <= 1 || f.map.row == 1;
    return f.map.is_strided() && (f.lanes == lanes || (f.lanes == 1 && (contiguous || f.batch_stride == 0)));
  }
  template <class Entry>
  [[gnu::always_inline]] lane_rows<Entry> rows(const factor<Entry>& f, index_t block, index_t l, index_t w) const {
    Entry* const at = f.data + loop_offset<Isa>(f.map, l);
    if (f.lanes == lanes) return {at + block * f.batch_stride + w, 1, f.map.row};
    return {at + (block * lanes + w) * f.batch_stride, f.batch_stride, f.map.row};
  }
  [[gnu::always_inline]] void multiply(const lane_rows<const T>& a, const lane_rows<const T>& b,
                                       const lane_rows<T>& out, const scale<T>& s) const {
    const vector alpha(s.alpha), beta(s.beta);
    each_square<Isa, T>(
        p.m, [&](index_t r, const auto& each) __attribute__((always_inline)) {
          vector x[width] = {}, y[width] = {};
          load_lanes<Isa, T>(a, r, each, x);
          load_lanes<Isa, T>(b, r, each, y);
          each([&](auto i) __attribute__((always_inline)) { x[i] = alpha * (x[i] * y[i]); });
          if (s.beta != T(0)) {
            load_lanes<Isa, T>({out.data, out.next, out.entry}, r, each, y);
            each([&](auto i) __attribute__((always_inline)) { x[i] = Isa::fma(beta, y[i], x[i]); });
          }
          store_lanes<Isa, T>(x, r, each, out);
        });
  }
};

// As run_interleaved of products.
template <class Isa, class T, class Rest>
[[gnu::always_inline]] inline bool multiply_interleaved(const problem<T>& p, index_t first, index_t last,
                                                        const Rest& rest) {
  if (lanes_in(p) == 1) return false;
  const pointwise_lanes<Isa, T> call{p};
  if (!call.is_possible()) {
    if constexpr (requires { typename Isa::half; })
      return multiply_interleaved<typename Isa::half>(p, first, last, rest);
    else
      return false;
  }
  each_whole_block(call, first, last, rest);
  return true;
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
  const auto plain = [&](index_t begin, index_t end) __attribute__((always_inline)) {
    if (begin < end) pointwise<Isa, T>(job_of<Isa>(p), begin, end);
  };
  if (!detail::multiply_interleaved<Isa>(p, first, last, plain)) plain(first, last);
}

}  // namespace tessera::simd
