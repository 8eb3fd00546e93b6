// SPDX-License-Identifier: BSD-3-Clause
// Packing: entries read through their address functors into a small column-major buffer, and written back through one.
#pragma once

#include <tessera/cpu/detail/added.hpp>
#include <tessera/cpu/detail/job.hpp>

namespace tessera::simd {

/// Which part of a side a buffer holds: entries [row, row + rows) x [col, col + cols) of one loop step.
struct window {
  index_t row, rows, col, cols;
};

/// A side at one batch entry and loop step. Two equal positions hold the same numbers.
template <class T>
struct position {
  const T *first = nullptr, *second = nullptr;
  index_t loop = -1;
  index_t row = 0, col = 0;
};

template <class Isa, class T>
[[gnu::always_inline]] inline bool same_place(const position<T>& a, const position<T>& b) {
  return a.first == b.first && a.second == b.second && a.loop == b.loop && a.row == b.row && a.col == b.col;
}

template <class Isa, class T, class First, class Second>
[[gnu::always_inline]] inline position<T> position_of(const side<First, Second>& s, index_t e, index_t l,
                                                      const window& w) {
  position<T> at{start_of<Isa>(s.first, e), nullptr, is_affine<Isa>(s.first.map) ? 0 : l, w.row, w.col};
  at.first += loop_offset<Isa>(s.first.map, is_affine<Isa>(s.first.map) ? l : 0);
  if constexpr (!same_type<Second, no_factor>) {
    if (s.factors == 2) {
      at.second = start_of<Isa>(s.second, e);
      if (is_affine<Isa>(s.second.map))
        at.second += loop_offset<Isa>(s.second.map, l);
      else
        at.loop = l;
    }
  }
  return at;
}

/// to(r, c) = side(w.row + r, w.col + c), columns `ld` apart, rows up to ld zero. Flattened: the maps' functions are
/// shared by all translation units, so this one must not emit a copy of them.
template <class Isa, class T, class First, class Second>
[[gnu::noinline, gnu::flatten]] void pack(const side<First, Second>& s, index_t e, index_t l, const window& w, T* to,
                                          index_t ld) {
  const T* first = start_of<Isa>(s.first, e);
  if (s.factors == 1 && is_affine<Isa>(s.first.map)) {
    const index_t row = row_stride_of<Isa>(s.first.map), col = col_stride_of<Isa>(s.first.map);
    first += loop_offset<Isa>(s.first.map, l) + w.row * row + w.col * col;
    for (index_t c = 0; c < w.cols; ++c) {
      for (index_t r = 0; r < w.rows; ++r) to[c * ld + r] = first[c * col + r * row];
      for (index_t r = w.rows; r < ld; ++r) to[c * ld + r] = T(0);
    }
    return;
  }
  for (index_t c = 0; c < w.cols; ++c) {
    for (index_t r = 0; r < w.rows; ++r) to[c * ld + r] = first[s.first.map.offset(w.row + r, w.col + c, l)];
    for (index_t r = w.rows; r < ld; ++r) to[c * ld + r] = T(0);
  }
  if constexpr (!same_type<Second, no_factor>) {
    if (s.factors == 1) return;
    const T* second = start_of<Isa>(s.second, e);
    for (index_t c = 0; c < w.cols; ++c)
      for (index_t r = 0; r < w.rows; ++r) to[c * ld + r] *= second[s.second.map.offset(w.row + r, w.col + c, l)];
  }
}

/// out(w) = alpha from + beta out(w), `from` with columns w.rows apart.
template <class Isa, class T, class Operand>
[[gnu::noinline, gnu::flatten]] void scatter(const T* from, const Operand& out, index_t e, index_t l, const window& w,
                                             const scale<T>& s) {
  T* to = start_of<Isa>(out, e);
  for (index_t c = 0; c < w.cols; ++c)
    for (index_t r = 0; r < w.rows; ++r) {
      T& entry = to[out.map.offset(w.row + r, w.col + c, l)];
      const T value = s.alpha * from[c * w.rows + r];
      entry = s.beta == T(0) ? value : added<Isa, T>(s.beta, entry, value);
    }
}

}  // namespace tessera::simd
