// SPDX-License-Identifier: BSD-3-Clause
// The generic row: products of any sizes, batches and loop steps, cut into strips. What is the same for all entries of
// a batch, and cannot be read in place or is shared by all products, is packed first.
#pragma once

#include <tessera/cpu/detail/job.hpp>
#include <tessera/cpu/detail/strip_grids.hpp>
#include <tessera/cpu/detail/transposed.hpp>

namespace tessera::simd {

/// Where the operands of a batch are: in memory if they are larger than the usual last-level cache, or as it is forced.
enum class batch_place { by_size, cache, memory };

/// Operands of a batch that are larger are taken to be in memory.
template <batch_place place>
inline constexpr index_t cached_bytes =
    place == batch_place::cache ? index_t{1} << 62 : (place == batch_place::memory ? 0 : 32 << 20);

namespace detail {

inline constexpr index_t prefetched_product = 3 << 10;  // bytes of the left operand and the result, at least
inline constexpr index_t packed_entries = 4096;         // the largest operand that is packed: 32 KiB of doubles

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
    int best = 1;
    index_t least = -1;
    for (int most = 1; all > 1 && most <= most_strip_vectors<Isa>(right); ++most) {
      const even_cut by_vectors(all, most), by_columns(n, most_strip_columns<Isa>(most, right));
      const index_t loads = by_columns.pieces() * all + by_vectors.pieces() * (n + by_columns.pieces());
      if (least >= 0 && loads >= least) continue;
      least = loads;
      best = most;
    }
    vectors = even_cut(all, best);
    columns = even_cut(n, most_strip_columns<Isa>(best, right));
  }
  [[gnu::always_inline]] index_t strips() const {
    return (vectors.pieces() + (half_rows > 0 ? 1 : 0)) * columns.pieces();
  }
};

/// One side of all products of a call: one factor, or the pointwise product of two.
template <class T>
struct strip_side {
  const factor<const T>* factors;
  int count;

  [[gnu::always_inline]] bool is_in_place() const {
    return count == 1 && factors[0].lanes == 1 && factors[0].map.is_strided();
  }
  /// The same for all entries of the batch.
  [[gnu::always_inline]] bool is_shared() const {
    for (int f = 0; f < count; ++f)
      if (factors[f].batch_stride != 0 || factors[f].lanes != 1) return false;
    return true;
  }
  [[gnu::always_inline]] bool depends_on(int digit) const {
    for (int f = 0; f < count; ++f)
      if (factors[f].map.table != nullptr || factors[f].map.loop_stride[digit] != 0) return true;
    return false;
  }
  [[gnu::always_inline]] T entry(index_t row, index_t column, index_t step) const {
    const T value = factors[0].data[factors[0].map.offset(row, column, step)];
    return count == 1 ? value : value * factors[1].data[factors[1].map.offset(row, column, step)];
  }
};

// Flattened, as pack is.
template <class Isa, class T>
[[gnu::noinline, gnu::flatten]] void pack_left(const strip_side<T>& from, index_t step, index_t m, index_t k, T* to,
                                               index_t column) {
  for (index_t c = 0; c < k; ++c) {
    for (index_t r = 0; r < m; ++r) to[c * column + r] = from.entry(r, c, step);
    for (index_t r = m; r < column; ++r) to[c * column + r] = T(0);
  }
}

// B (k, n) as panels: the columns of a block side by side, row by row.
template <class Isa, class T>
[[gnu::noinline, gnu::flatten]] void pack_right(const strip_side<T>& from, index_t step, index_t k, const even_cut& cut,
                                                T* to) {
  index_t column = 0;
  for (index_t block = 0; block < cut.pieces(); ++block) {
    const index_t columns = block < cut.wide ? cut.size : cut.size - 1;
    for (index_t l = 0; l < k; ++l)
      for (index_t c = 0; c < columns; ++c) *to++ = from.entry(l, column + c, step);
    column += columns;
  }
}

// Lists the strips of a product.
template <class Isa, class T, strip_right right>
[[gnu::always_inline]] inline void add_strips(strip_grids<T>& to, const strip_cut<Isa, T>& cut,
                                              const strip_shape<T>& each) {
  constexpr int lanes = strip_cut<Isa, T>::lanes;
  const index_t panel = right == strip_right::panel ? each.k : each.b_column;  // from a column to the next
  index_t row = 0;
  const auto rows = [&](auto isa, index_t count, int vectors, int tail) __attribute__((always_inline)) {
    if (count == 0) return;
    index_t column = 0;
    const auto columns = [&](index_t number, int width) __attribute__((always_inline)) {
      if (number == 0) return;
      to.add(strip_kernel<typename decltype(isa)::type, T, right>(vectors, tail, width), tail,
             {1, row, column * panel, row + column * each.out_column}, {count, vectors * lanes, 0, vectors * lanes},
             {number, 0, width * panel, width * each.out_column});
      column += number * width;
    };
    columns(cut.columns.wide, cut.columns.size);
    columns(cut.columns.narrow, cut.columns.size - 1);
    row += count * vectors * lanes;
  };
  const even_cut& by = cut.vectors;
  const bool ends_wide = cut.tail > 0 && by.narrow == 0, ends_narrow = cut.tail > 0 && !ends_wide;
  rows(of_isa<Isa>{}, by.wide - ends_wide, by.size, 0);
  rows(of_isa<Isa>{}, by.narrow - ends_narrow, by.size - 1, 0);
  if (cut.tail > 0) rows(of_isa<Isa>{}, 1, by.size - ends_narrow, cut.tail);
  if constexpr (strip_cut<Isa, T>::has_half)
    if (cut.half_rows > 0) rows(of_isa<typename Isa::half>{}, 1, 1, cut.half_rows % (lanes / 2));
}

/// A call whose strips read and write in place what they do not pack.
template <class Isa, class T>
struct strip_call {
  const problem<T>& p;
  index_t cached;  // bytes of a batch that stay in cache
  strip_side<T> left{p.left, p.left_factors}, right{p.right, p.right_factors};
  int loop_rank = p.loops == 1 ? 0 : p.out.map.loop_rank;
  index_t padded = (p.m + 15) / 16 * 16;
  bool has_rows = left.is_in_place() && (p.m <= 1 || p.left[0].map.row == 1);
  bool packs_left = !has_rows && left.is_shared();
  bool packs_each_left = !has_rows && !packs_left;  // product by product
  bool packs_right = right.is_shared() && p.k * p.n <= packed_entries && (!right.is_in_place() || !depends(right));

  [[gnu::always_inline]] bool depends(const strip_side<T>& side) const {
    for (int i = 0; i < loop_rank; ++i)
      if (p.out.map.loop_extent[i] > 1 && side.depends_on(i)) return true;
    return false;
  }
  /// A longer sum over what is packed is made in chunks, as for a batch of such operands.
  [[gnu::always_inline]] bool is_possible() const {
    return p.k >= 1 && p.out.lanes == 1 && p.out.map.table == nullptr && (p.m <= 1 || p.out.map.row == 1) &&
           (has_rows || (padded * p.k <= packed_entries && p.k <= k_chunk)) &&
           (!packs_each_left || left.is_in_place()) && (right.is_in_place() || (packs_right && p.k <= k_chunk));
  }

  /// Loop digits that a packed side depends on go to `packed`, the other ones and the batch to `all`.
  [[gnu::always_inline]] void divide(index_t batch, repeats& packed, repeats& all) const {
    const run_time_map& out = p.out.map;
    index_t step = 1;
    for (int i = 0; i < loop_rank; ++i) {
      const repeat digit{out.loop_extent[i], packs_left ? 0 : p.left[0].map.loop_stride[i],
                         packs_right ? 0 : p.right[0].map.loop_stride[i], out.loop_stride[i], step};
      step *= out.loop_extent[i];
      if ((packs_left && left.depends_on(i)) || (packs_right && right.depends_on(i)))
        packed.add(digit);
      else
        all.join(digit);
    }
    all.join({batch, packs_left ? 0 : p.left[0].batch_stride, packs_right ? 0 : p.right[0].batch_stride,
              p.out.batch_stride});
    if (all.count == 0) all.digit[all.count++] = {1, 0, 0, 0};
  }

  // The next product's left operand, to L2. It may be behind the last one, where nothing is read.
  [[gnu::always_inline]] void prefetch_left(const T* next) const {
    constexpr index_t line = 64 / index_t(sizeof(T));
    const index_t column = p.left[0].map.col;
    if (column == p.m)
      for (index_t i = 0; i < p.m * p.k; i += line) __builtin_prefetch(next + i, 0, 2);
    else
      for (index_t l = 0; l < p.k; ++l)
        for (index_t i = 0; i < p.m; i += line) __builtin_prefetch(next + l * column + i, 0, 2);
  }

  template <strip_right kind>
  [[gnu::always_inline]] void run(strip_place<T> at, const strip_shape<T>& each, const strip_cut<Isa, T>& cut,
                                  const repeats& packed, const repeats& all, T* left_buffer, T* right_buffer) const {
    const repeat& products = all.digit[0];
    const bool shares_left = packs_left || products.a == 0, shares_right = packs_right || products.b == 0;
    const index_t entries = (shares_left ? 0 : p.m * p.k) + (shares_right ? 0 : p.k * p.n) + p.m * p.n;
    // From memory one product after the other, which the hardware prefetches best.
    const bool from_memory = double(p.batch) * double(entries) * double(sizeof(T)) > double(cached);
    index_t task = products.count;
    if (task > 1 && (cut.strips() > 1 || packs_each_left)) {
      const index_t fitting = from_memory && !packs_each_left ? 1 : products_in_l1<T>(entries);
      if (fitting < task) task = fitting;
    }
    // The left operand's columns are as many streams, too many for the hardware.
    const bool prefetches = from_memory && has_rows && !shares_left && task == 1 &&
                            (p.m * p.k + p.m * p.n) * index_t(sizeof(T)) >= prefetched_product;
    repeat of_strips = products;
    if (packs_each_left && products.a != 0) of_strips.a = p.m * p.k;
    strip_grids<T> grids(each, of_strips, task);
    add_strips<Isa, T, kind>(grids, cut, each);
    if (packs_left) at.a = left_buffer;
    if (packs_right) at.b = right_buffer;
    each_step(
        packed, 0, [&](const repeat& to) __attribute__((always_inline)) {
          if (packs_left) pack_left<Isa>(left, to.step, p.m, p.k, left_buffer, padded);
          if (packs_right) pack_right<Isa>(right, to.step, p.k, cut.columns, right_buffer);
          strip_place<T> moved = at;
          moved.move(to, 1);
          grids.run_all(
              moved, all, products, [&](strip_place<T> & first, index_t count) __attribute__((always_inline)) {
                if (prefetches) prefetch_left(first.a + count * products.a);
                if (!packs_each_left) return;
                const run_time_map& from = p.left[0].map;
                copy_columns<Isa>(first.a, products.a, from.row, from.col, p.m, p.k, products.a == 0 ? 1 : count,
                                  left_buffer, p.m * p.k, p.m);
                first.a = left_buffer;
              });
        });
  }

  [[gnu::always_inline]] void run(index_t first, index_t last) const {
    alignas(64) T left_buffer[packed_entries], right_buffer[packed_entries];
    const scale<T> s{p.alpha, p.beta};
    strip_shape<T> each;
    each.a_column = packs_left ? padded : (packs_each_left ? index_t(p.m) : p.left[0].map.col);
    each.b_row = p.right[0].map.row, each.b_column = p.right[0].map.col, each.out_column = p.out.map.col;
    each.k = p.k, each.overwrites = s.alpha == T(1) && s.beta == T(0), each.s = &s;
    each.a_row = each.out_row = 1;

    repeats packed, all;
    divide(last - first, packed, all);
    // Where operands are packed anew, as many entries of the batch at a time as stay in L1.
    const index_t of_entry = p.loops * p.m * p.n + p.left[0].batch_stride + p.right[0].batch_stride;
    const index_t chunk = packed.count > 0 ? products_in_l1<T>(of_entry / 2) : last - first;
    for (; first < last; first += chunk) {
      if (packed.count > 0) {
        packed.count = all.count = 0;
        divide(last - first < chunk ? last - first : chunk, packed, all);
      }
      const strip_place<T> at{p.left[0].data + first * p.left[0].batch_stride,
                              p.right[0].data + first * p.right[0].batch_stride,
                              p.out.data + first * p.out.batch_stride};
      if (packs_right) {
        run<strip_right::panel>(at, each, {p.m, p.n, strip_right::panel}, packed, all, left_buffer, right_buffer);
        continue;
      }
      // Products that share A are one with more columns, if their columns continue each other.
      repeat& products = all.digit[0];
      index_t n = p.n;
      if (products.a == 0 && products.b == n * each.b_column && products.out == n * each.out_column) {
        n *= products.count;
        products = {1, 0, 0, 0};
      }
      run<strip_right::strided>(at, each, {p.m, n, strip_right::strided}, packed, all, left_buffer, right_buffer);
    }
  }
};

}  // namespace detail

/// Batch entries [first, last) where strips read and write in place what they do not pack; false otherwise. A batch of
/// more than `cached` bytes is taken to be in memory.
template <class Isa, class T>
[[gnu::always_inline]] inline bool run_in_strips(const problem<T>& p, index_t first, index_t last, index_t cached) {
  const detail::strip_call<Isa, T> call{p, cached};
  if (!call.is_possible()) return false;
  if (first < last && p.m > 0 && p.n > 0 && p.loops > 0) call.run(first, last);
  return true;
}

}  // namespace tessera::simd
