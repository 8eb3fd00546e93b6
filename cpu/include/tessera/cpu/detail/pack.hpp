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

// f(r, c, entry (w.row + r, w.col + c)) of one factor that is not affine.
template <class Isa, class T, class Operand, class F>
[[gnu::always_inline]] inline void each_in_window(const Operand& o, index_t e, index_t l, const window& w, const F& f) {
  const T* from = start_of<Isa>(o, e);
  if constexpr (same_type<decltype(o.map), run_time_map>)
    if (o.map.table == nullptr) {
      // Of digits: those of rows are split once for all columns.
      constexpr index_t most = 128;
      index_t rows[most];
      from += loop_offset<Isa>(o.map, l);
      for (index_t row = 0; row < w.rows; row += most) {
        const index_t count = w.rows - row < most ? w.rows - row : most;
        for (index_t r = 0; r < count; ++r) rows[r] = o.map.row_offset(w.row + row + r);
        for (index_t c = 0; c < w.cols; ++c) {
          const T* const column = from + o.map.col_offset(w.col + c);
          for (index_t r = 0; r < count; ++r) f(row + r, c, column[rows[r]]);
        }
      }
      return;
    }
  for (index_t c = 0; c < w.cols; ++c)
    for (index_t r = 0; r < w.rows; ++r) f(r, c, from[o.map.offset(w.row + r, w.col + c, l)]);
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
  each_in_window<Isa, T>(
      s.first, e, l, w, [&](index_t r, index_t c, T value) __attribute__((always_inline)) { to[c * ld + r] = value; });
  for (index_t c = 0; c < w.cols; ++c)
    for (index_t r = w.rows; r < ld; ++r) to[c * ld + r] = T(0);
  if constexpr (!same_type<Second, no_factor>) {
    if (s.factors == 1) return;
    each_in_window<Isa, T>(
        s.second, e, l,
        w, [&](index_t r, index_t c, T value) __attribute__((always_inline)) { to[c * ld + r] *= value; });
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
