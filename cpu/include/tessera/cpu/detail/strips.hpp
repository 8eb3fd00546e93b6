// SPDX-License-Identifier: BSD-3-Clause
// The generic row: products of any sizes, batches and loop steps, cut into strips. An operand that all of them share is
// packed once.
#pragma once

#include <tessera/cpu/detail/job.hpp>
#include <tessera/cpu/detail/strip.hpp>

namespace tessera::simd {

namespace detail {

inline constexpr index_t shared_entries = 4096;  // the largest shared operand that is packed: 32 KiB of doubles

/// Products at constant distances from each other: a loop digit, or the batch.
struct repeat {
  index_t count, a, b, out;
};

/// All products of a call, as nested loops, the fastest first. Digits that continue each other are one.
struct repeats {
  repeat digit[max_rank + 1];
  int count = 0;

  [[gnu::always_inline]] void add(const repeat& next) {
    if (next.count == 1) return;
    if (count > 0) {
      repeat& last = digit[count - 1];
      if (next.a == last.a * last.count && next.b == last.b * last.count && next.out == last.out * last.count) {
        last.count *= next.count;
        return;
      }
    }
    digit[count++] = next;
  }
};

/// A side that is the same matrix in all products.
template <class Isa, class T>
[[gnu::always_inline]] inline bool is_shared(const factor<const T>& f, index_t loops) {
  if (f.batch_stride != 0 || f.lanes != 1) return false;
  if (f.map.table != nullptr) return loops == 1;
  for (int i = 0; i < f.map.loop_rank; ++i)
    if (f.map.loop_stride[i] != 0) return false;
  return true;
}

/// `wide` pieces of `size`, then `narrow` ones of one less.
struct even_cut {
  int size = 0;
  index_t wide = 0, narrow = 0;

  even_cut() = default;
  [[gnu::always_inline]] even_cut(index_t whole, int most) {
    const index_t pieces = (whole + most - 1) / most;
    if (pieces == 0) return;
    size = int((whole + pieces - 1) / pieces);
    narrow = pieces * size - whole;
    wide = pieces - narrow;
  }
  index_t pieces() const { return wide + narrow; }
};

/// How C (m, n) is cut into strips: rows into whole vectors with the tail at the end, or with a short tail apart, in a
/// vector of half the width.
template <class Isa, class T>
struct strip_cut {
  static constexpr int lanes = int(Isa::template vector<T>::size);
  static constexpr bool has_half = requires { typename Isa::half; };
  int tail, half_rows = 0;  // rows of the last vector, and of the half one
  even_cut vectors, columns;

  [[gnu::always_inline]] strip_cut(index_t m, index_t n, strip_right right) : tail(int(m % lanes)) {
    index_t all = (m + lanes - 1) / lanes;
    if (has_half && tail > 0 && tail <= lanes / 2) {
      half_rows = tail;
      tail = 0;
      --all;
    }
    // A strip loads each column of a once for a block of columns, and each entry of b once for its vectors.
    index_t least = -1;
    for (int most = 1; most <= most_strip_vectors<Isa>(right); ++most) {
      const even_cut by_vectors(all, most), by_columns(n, most_strip_columns<Isa>(most, right));
      const index_t loads = by_columns.pieces() * all + by_vectors.pieces() * (n + by_columns.pieces());
      if (least >= 0 && loads >= least) continue;
      least = loads;
      vectors = by_vectors;
      columns = by_columns;
    }
  }
  index_t strips() const { return (vectors.pieces() + (half_rows > 0 ? 1 : 0)) * columns.pieces(); }
};

/// The operands of all products: a with contiguous rows, b by strides or in panels, out with contiguous rows.
template <class T>
struct strip_operands {
  const T* a;
  index_t a_column;
  const T* b;
  index_t b_row, b_column;
  T* out;
  index_t out_column;

  [[gnu::always_inline]] void move(index_t to_a, index_t to_b, index_t to_out) { a += to_a, b += to_b, out += to_out; }
};

/// Strips of one size in a product, and in several products: `each` is repeated by the kernel, and that by two loops.
template <class T>
struct strip_grid {
  strip_function<T> kernel;
  strip<T> each;
  index_t a, b, out;  // offsets of the first strip in its product
  repeat middle, outer;
  bool by_product;

  [[gnu::always_inline]] void run(const strip_operands<T>& o, index_t products) {
    strip<T> at = each;
    at.a = o.a + a, at.b = o.b + b, at.out = o.out + out;
    if (by_product) at.steps = products;
    const index_t outer_count = by_product ? outer.count : products;
    for (index_t i = 0; i < outer_count; ++i) {
      for (index_t j = 0; j < middle.count; ++j) {
        kernel(at);
        at.a += middle.a, at.b += middle.b, at.out += middle.out;
      }
      at.a += outer.a - middle.count * middle.a, at.b += outer.b - middle.count * middle.b;
      at.out += outer.out - middle.count * middle.out;
    }
  }
};

/// All strips of a product, for many products at constant distances.
template <class Isa, class T, strip_right right>
class strip_grids {
 public:
  /// Of `task` products at a time.
  [[gnu::always_inline]] strip_grids(const strip_operands<T>& o, const strip_cut<Isa, T>& cut, const repeat& products,
                                     index_t task, index_t k, const scale<T>& s) {
    constexpr int lanes = strip_cut<Isa, T>::lanes;
    strip<T> each{};
    each.a_column = o.a_column, each.b_row = o.b_row, each.b_column = o.b_column, each.out_column = o.out_column;
    each.k = k, each.overwrites = s.alpha == T(1) && s.beta == T(0), each.s = &s;
    index_t row = 0;
    const auto rows = [&](auto isa, index_t count, int vectors, int tail) __attribute__((always_inline)) {
      if (count == 0) return;
      const repeat down{count, vectors * lanes, 0, vectors * lanes};
      index_t column = 0;
      const auto columns = [&](index_t number, int width) __attribute__((always_inline)) {
        if (number == 0) return;
        const index_t panel = right == strip_right::panel ? k : o.b_column;
        strip_grid<T>& grid = grids_[count_++];
        grid.kernel = strip_kernel<typename decltype(isa)::type, T, right>(vectors, tail, width);
        grid.each = each;
        grid.each.tail = tail;
        grid.a = row, grid.b = column * panel, grid.out = row + column * o.out_column;
        const repeat along{number, 0, width * panel, width * o.out_column};
        grid.by_product = task >= count && task >= number;
        const bool by_row = !grid.by_product && count >= number;
        const repeat& inner = grid.by_product ? products : (by_row ? down : along);
        grid.each.a_step = inner.a, grid.each.b_step = inner.b, grid.each.out_step = inner.out;
        grid.each.steps = inner.count;
        grid.middle = grid.by_product || by_row ? along : down;
        grid.outer = grid.by_product ? down : products;
        column += number * width;
      };
      columns(cut.columns.wide, cut.columns.size);
      columns(cut.columns.narrow, cut.columns.size - 1);
      row += count * vectors * lanes;
    };
    const even_cut& by = cut.vectors;
    const bool ends_wide = cut.tail > 0 && by.narrow == 0, ends_narrow = cut.tail > 0 && !ends_wide;
    rows(type_of<Isa>{}, by.wide - ends_wide, by.size, 0);
    rows(type_of<Isa>{}, by.narrow - ends_narrow, by.size - 1, 0);
    if (cut.tail > 0) rows(type_of<Isa>{}, 1, by.size - ends_narrow, cut.tail);
    if constexpr (strip_cut<Isa, T>::has_half)
      if (cut.half_rows > 0) rows(type_of<typename Isa::half>{}, 1, 1, cut.half_rows % (lanes / 2));
  }

  [[gnu::always_inline]] void run(const strip_operands<T>& o, index_t products) {
    for (int i = 0; i < count_; ++i) grids_[i].run(o, products);
  }

 private:
  template <class Type>
  struct type_of {
    using type = Type;
  };
  strip_grid<T> grids_[8];
  int count_ = 0;
};

// Every step of the outer digits, one after the other.
template <class F>
[[gnu::always_inline]] inline void each_outer(const repeats& all, const F& f) {
  index_t at[max_rank + 1] = {};
  index_t a = 0, b = 0, out = 0;
  for (;;) {
    f(a, b, out);
    int d = 1;
    for (; d < all.count; ++d) {
      const repeat& digit = all.digit[d];
      a += digit.a, b += digit.b, out += digit.out;
      if (++at[d] < digit.count) break;
      a -= digit.a * digit.count, b -= digit.b * digit.count, out -= digit.out * digit.count;
      at[d] = 0;
    }
    if (d >= all.count) return;
  }
}

// All products. Those whose strips are passed over several times go through L1 in tasks.
template <class Isa, class T, strip_right right>
[[gnu::always_inline]] inline void run_strips(const strip_operands<T>& o, const repeats& all, index_t k,
                                              index_t entries, const strip_cut<Isa, T>& cut, const scale<T>& s) {
  constexpr index_t most_entries = 16384 / index_t(sizeof(T));
  const repeat& fastest = all.digit[0];
  const index_t fitting = entries < most_entries ? most_entries / entries : 1;
  const index_t task = cut.strips() == 1 || fitting > fastest.count ? fastest.count : fitting;
  strip_grids<Isa, T, right> grids(o, cut, fastest, task, k, s);
  each_outer(
      all, [&](index_t a, index_t b, index_t out) __attribute__((always_inline)) {
        strip_operands<T> at = o;
        at.move(a, b, out);
        for (index_t left = fastest.count; left > 0; left -= task) {
          grids.run(at, left < task ? left : task);
          at.move(task * fastest.a, task * fastest.b, task * fastest.out);
        }
      });
}

template <class Isa, class T>
[[gnu::always_inline]] inline repeats repeats_of(const problem<T>& p, index_t batch, bool a_shared, bool b_shared) {
  const run_time_map &a = p.left[0].map, &b = p.right[0].map, &out = p.out.map;
  repeats all;
  for (int i = 0; i < out.loop_rank; ++i)
    all.add({out.loop_extent[i], a_shared ? 0 : a.loop_stride[i], b_shared ? 0 : b.loop_stride[i], out.loop_stride[i]});
  all.add({batch, a_shared ? 0 : p.left[0].batch_stride, b_shared ? 0 : p.right[0].batch_stride, p.out.batch_stride});
  if (all.count == 0) all.digit[all.count++] = {1, 0, 0, 0};
  return all;
}

template <class Isa, class T>
[[gnu::always_inline]] inline void pack_columns(const factor<const T>& from, index_t rows, index_t cols, T* to,
                                                index_t column) {
  for (index_t c = 0; c < cols; ++c) {
    for (index_t r = 0; r < rows; ++r) to[c * column + r] = from.data[from.map.offset(r, c, 0)];
    for (index_t r = rows; r < column; ++r) to[c * column + r] = T(0);
  }
}

// B (k, n) as panels: the columns of a block side by side, row by row.
template <class Isa, class T>
[[gnu::always_inline]] inline void pack_panels(const factor<const T>& from, index_t k, const even_cut& cut, T* to) {
  index_t column = 0;
  for (index_t block = 0; block < cut.pieces(); ++block) {
    const index_t columns = block < cut.wide ? cut.size : cut.size - 1;
    for (index_t l = 0; l < k; ++l)
      for (index_t c = 0; c < columns; ++c) *to++ = from.data[from.map.offset(l, column + c, 0)];
    column += columns;
  }
}

template <class Isa, class T>
[[gnu::always_inline]] inline bool is_in_place(const factor<const T>& f) {
  return f.lanes == 1 && f.map.table == nullptr;
}

}  // namespace detail

/// Batch entries [first, last) where strips read and write every operand in place or share it; false otherwise.
template <class Isa, class T>
[[gnu::always_inline]] inline bool run_in_strips(const problem<T>& p, index_t first, index_t last) {
  using namespace detail;
  const factor<const T>&left = p.left[0], &right = p.right[0];
  if (p.left_factors != 1 || p.right_factors != 1 || p.k < 1 || p.out.lanes != 1 || p.out.map.table != nullptr ||
      (p.m > 1 && p.out.map.row != 1))
    return false;
  const index_t padded = (p.m + 15) / 16 * 16;
  const bool a_in_place = is_in_place<Isa>(left) && (p.m <= 1 || left.map.row == 1);
  const bool a_shared = is_shared<Isa>(left, p.loops), b_shared = is_shared<Isa>(right, p.loops);
  const bool packs_a = !a_in_place && a_shared && padded * p.k <= shared_entries;
  const bool packs_b = b_shared && p.k * p.n <= shared_entries;
  if ((!a_in_place && !packs_a) || (!is_in_place<Isa>(right) && !packs_b)) return false;
  if (first >= last || p.m == 0 || p.n == 0) return true;

  alignas(64) T a_buffer[shared_entries], b_buffer[shared_entries];
  strip_operands<T> o{left.data + first * left.batch_stride,
                      left.map.col,
                      right.data + first * right.batch_stride,
                      right.map.row,
                      right.map.col,
                      p.out.data + first * p.out.batch_stride,
                      p.out.map.col};
  if (packs_a) {
    pack_columns<Isa>(left, p.m, p.k, a_buffer, padded);
    o.a = a_buffer, o.a_column = padded;
  }
  repeats all = repeats_of<Isa>(p, last - first, a_shared, b_shared);
  const index_t entries = (a_shared ? 0 : p.m * p.k) + (b_shared ? 0 : p.k * p.n) + p.m * p.n;
  const scale<T> s{p.alpha, p.beta};
  if (packs_b) {
    const strip_cut<Isa, T> cut(p.m, p.n, strip_right::panel);
    pack_panels<Isa>(right, p.k, cut.columns, b_buffer);
    o.b = b_buffer;
    run_strips<Isa, T, strip_right::panel>(o, all, p.k, entries, cut, s);
    return true;
  }
  // Products that share A are one with more columns, if their columns continue each other.
  repeat& fastest = all.digit[0];
  index_t n = p.n;
  if (fastest.a == 0 && fastest.b == n * o.b_column && fastest.out == n * o.out_column) {
    n *= fastest.count;
    fastest = {1, 0, 0, 0};
  }
  run_strips<Isa, T, strip_right::strided>(o, all, p.k, entries, {p.m, n, strip_right::strided}, s);
  return true;
}

}  // namespace tessera::simd
