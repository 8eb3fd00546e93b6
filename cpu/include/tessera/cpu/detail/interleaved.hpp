// SPDX-License-Identifier: BSD-3-Clause
// Products of interleaved batches, a product a lane. An operand that the batch shares is repeated in every lane once a
// call; one that is not interleaved as others are is moved to lanes, or from them, a block of products at a time.
#pragma once

#include <tessera/cpu/detail/job.hpp>
#include <tessera/cpu/detail/lane_block.hpp>
#include <tessera/cpu/detail/lane_moves.hpp>
#include <tessera/cpu/detail/strip_grids.hpp>

namespace tessera::simd {

namespace detail {

// Each entry of a shared operand in all lanes of a vector, column by column, for each of `steps` loop steps.
template <class Isa, class T>
[[gnu::noinline, gnu::flatten]] void repeat_lanes(const factor<const T>& from, index_t rows, index_t columns,
                                                  const repeats& steps, T* to) {
  using vector = typename Isa::template vector<T>;
  each_step(
      steps, 0, [&](const repeat& step) __attribute__((always_inline)) {
        for (index_t c = 0; c < columns; ++c)
          for (index_t r = 0; r < rows; ++r, to += vector::size)
            vector(from.data[from.map.offset(r, c, 0) + step.a]).store_unaligned(to);
      });
}

/// How many products are interleaved in the operands of p that are.
template <class T>
[[gnu::always_inline]] inline index_t lanes_in(const problem<T>& p) {
  const index_t inputs = p.left[0].lanes > 1 ? p.left[0].lanes : p.right[0].lanes;
  return p.out.lanes > 1 ? p.out.lanes : inputs;
}

/// An operand of a call over blocks of lanes.
template <class T>
struct lane_operand {
  const factor<T>& of;
  index_t rows, columns, lanes;
  index_t moved;  // its entries, if it is moved to lanes or from them
  bool is_shared, is_possible;
  repeats steps;                  // of loops that a shared one depends on
  index_t shared_step[max_rank];  // and the distances there, of all loops

  [[gnu::always_inline]] lane_operand(const factor<T>& f, index_t rows_, index_t columns_, index_t loops,
                                      index_t lanes_, index_t width)
      : of(f), rows(rows_), columns(columns_), lanes(lanes_), moved(0) {
    const bool in_place = f.lanes == lanes && f.map.is_strided();
    is_shared = !in_place && f.lanes == 1 && f.batch_stride == 0 && (loops == 1 || f.map.table == nullptr);
    index_t entries = rows * columns * width;
    for (int i = 0; is_shared && loops > 1 && i < f.map.loop_rank; ++i) {
      shared_step[i] = f.map.loop_stride[i] != 0 ? entries : 0;
      if (f.map.loop_stride[i] == 0) continue;
      steps.add({f.map.loop_extent[i], f.map.loop_stride[i], 0, 0});
      entries *= f.map.loop_extent[i];
    }
    is_shared = is_shared && entries <= lane_entries;
    if (!in_place && !is_shared && f.lanes == 1 && f.batch_stride != 0)
      moved = dense_entries(f.map, rows, columns, loops);
    if (moved > lane_entries / lanes) moved = 0;
    is_possible = in_place || is_shared || moved > 0;
  }

  [[gnu::always_inline]] bool is_moved() const { return moved > 0; }
  /// Distances in what the kernels read or write.
  [[gnu::always_inline]] index_t row(index_t width) const { return is_shared ? width : scaled(of.map.row); }
  [[gnu::always_inline]] index_t column(index_t width) const { return is_shared ? rows * width : scaled(of.map.col); }
  [[gnu::always_inline]] index_t step(int digit) const {
    return is_shared ? shared_step[digit] : scaled(of.map.loop_stride[digit]);
  }
  /// From a block of lanes to the next.
  [[gnu::always_inline]] index_t block() const {
    if (is_shared) return 0;
    return is_moved() ? moved * lanes : of.batch_stride;
  }
  [[gnu::always_inline]] index_t vector(index_t width) const { return is_shared ? 0 : width; }
  /// Where the block's first product is.
  [[gnu::always_inline]] T* start(index_t number) const {
    return of.data + number * (is_moved() ? lanes * of.batch_stride : of.batch_stride);
  }

  /// Blocks [number, number + count), one after the other, to a buffer and back.
  template <class Isa, class Entry>
  [[gnu::always_inline]] void to_lanes(index_t number, index_t count, Entry* buffer) const {
    constexpr index_t width = index_t(Isa::template vector<Entry>::size);
    for (index_t b = 0; b < count; ++b, buffer += block())
      for (index_t w = 0; w < lanes; w += width)
        move_lanes<Isa, Entry>({start(number + b) + w * of.batch_stride, of.batch_stride, 1}, moved,
                               {buffer + w, 1, lanes});
  }
  template <class Isa, class Entry>
  [[gnu::always_inline]] void from_lanes(index_t number, index_t count, const Entry* buffer) const {
    constexpr index_t width = index_t(Isa::template vector<Entry>::size);
    for (index_t b = 0; b < count; ++b, buffer += block())
      for (index_t w = 0; w < lanes; w += width)
        move_lanes<Isa, Entry>({buffer + w, 1, lanes}, moved,
                               {start(number + b) + w * of.batch_stride, of.batch_stride, 1});
  }

 private:
  [[gnu::always_inline]] index_t scaled(index_t distance) const { return is_moved() ? distance * lanes : distance; }
};

/// A call over whole blocks of `lanes` batch entries.
template <class Isa, class T>
struct lane_call {
  static constexpr index_t width = index_t(Isa::template vector<T>::size);
  const problem<T>& p;
  index_t lanes = lanes_in(p);
  lane_operand<const T> left{p.left[0], p.m, p.k, p.loops, lanes, width};
  lane_operand<const T> right{p.right[0], p.k, p.n, p.loops, lanes, width};
  lane_operand<T> out{p.out, p.m, p.n, p.loops, lanes, width};

  [[gnu::always_inline]] bool is_possible() const {
    return lanes % width == 0 && p.k <= k_chunk && p.left_factors == 1 && p.right_factors == 1 && left.is_possible &&
           right.is_possible && out.is_possible && !out.is_shared;
  }

  /// Blocks [first, last). A function by itself: its memory is on the stack of calls that come here only.
  [[gnu::noinline]] void run(index_t first, index_t last) const {
    alignas(64) T left_buffer[lane_entries], right_buffer[lane_entries], out_buffer[lane_entries];
    if (left.is_shared) repeat_lanes<Isa>(p.left[0], p.m, p.k, left.steps, left_buffer);
    if (right.is_shared) repeat_lanes<Isa>(p.right[0], p.k, p.n, right.steps, right_buffer);
    const index_t at_once = most_at_once(last - first), rest = (last - first) % at_once;
    run_by(at_once, first, last - rest, left_buffer, right_buffer, out_buffer);
    if (rest > 0) run_by(rest, last - rest, last, left_buffer, right_buffer, out_buffer);
  }

 private:
  // Blocks whose entries are moved to lanes stay in L1 meanwhile.
  [[gnu::always_inline]] index_t most_at_once(index_t blocks) const {
    index_t entries = left.moved > right.moved ? left.moved : right.moved;
    if (out.moved > entries) entries = out.moved;
    if (entries == 0) return blocks;
    const index_t fitting = products_in_l1<T>(entries * lanes);
    return fitting < blocks ? fitting : blocks;
  }

  // Blocks [first, last), `at_once` of them at a time.
  [[gnu::noinline]] void run_by(index_t at_once, index_t first, index_t last, T* left_buffer, T* right_buffer,
                                T* out_buffer) const {
    const scale<T> s{p.alpha, p.beta};
    strip_shape<T> each;
    each.a_row = left.row(width), each.a_column = left.column(width);
    each.b_row = right.row(width), each.b_column = right.column(width);
    each.out_row = out.row(width), each.out_column = out.column(width);
    each.k = p.k, each.overwrites = s.alpha == T(1) && s.beta == T(0), each.s = &s;

    // Vectors of a block of lanes: few are listed with the product's blocks, more are a loop.
    constexpr index_t most_listed = 4;
    const index_t vectors = lanes / width, listed = vectors <= most_listed ? vectors : 1;
    const repeat vector{vectors / listed, left.vector(width), right.vector(width), width};
    repeats all;
    all.join(vector);
    for (int i = 0; p.loops > 1 && i < p.out.map.loop_rank; ++i)
      all.join({p.out.map.loop_extent[i], left.step(i), right.step(i), out.step(i)});
    all.join({at_once, left.block(), right.block(), out.block()});
    if (all.count == 0) all.digit[all.count++] = {1, 0, 0, 0};

    const even_cut rows(p.m, most_lane_rows<Isa>), columns(p.n, most_lane_columns<Isa>);
    const index_t entries = width * ((left.is_shared ? 0 : p.m * p.k) + (right.is_shared ? 0 : p.k * p.n) + p.m * p.n);
    const index_t fitting = products_in_l1<T>(entries), count = all.digit[0].count;
    const bool once = rows.pieces() == 1 && columns.pieces() == 1;
    strip_grids<T> grids(each, all.digit[0], once || fitting > count ? count : fitting);
    for (index_t v = 0; v < listed; ++v)
      add_blocks(grids, each, rows, columns, {1, v * vector.a, v * vector.b, v * vector.out});
    for (index_t block = first; block < last; block += at_once) {
      if (left.is_moved()) left.template to_lanes<Isa>(block, at_once, left_buffer);
      if (right.is_moved()) right.template to_lanes<Isa>(block, at_once, right_buffer);
      if (out.is_moved() && s.beta != T(0)) out.template to_lanes<Isa>(block, at_once, out_buffer);
      const strip_place<T> at{left.is_shared || left.is_moved() ? left_buffer : left.start(block),
                              right.is_shared || right.is_moved() ? right_buffer : right.start(block),
                              out.is_moved() ? out_buffer : out.start(block)};
      grids.run_all(at, all, all.digit[0], [](strip_place<T>&, index_t) __attribute__((always_inline)){});
      if (out.is_moved()) out.template from_lanes<Isa>(block, at_once, static_cast<const T*>(out_buffer));
    }
  }

  [[gnu::always_inline]] static void add_blocks(strip_grids<T>& grids, const strip_shape<T>& each, const even_cut& rows,
                                                const even_cut& columns, const repeat& first) {
    index_t row = 0;
    for (int rest = 0; rest < 2; ++rest) {
      const bool narrow_rows = rest == 1;
      const index_t down = narrow_rows ? rows.narrow : rows.wide;
      const int height = rows.size - narrow_rows;
      index_t column = 0;
      for (int last = 0; last < 2; ++last) {
        const bool narrow = last == 1;
        const index_t along = narrow ? columns.narrow : columns.wide;
        const int breadth = columns.size - narrow;
        if (down > 0 && along > 0)
          grids.add(lane_kernel<Isa, T>(height, breadth), 0,
                    {1, first.a + row * each.a_row, first.b + column * each.b_column,
                     first.out + row * each.out_row + column * each.out_column},
                    {down, height * each.a_row, 0, height * each.out_row},
                    {along, 0, breadth * each.b_column, breadth * each.out_column});
        column += along * breadth;
      }
      row += down * height;
    }
  }
};

// Of entries [first, last) the whole blocks by the call, and those around them by rest(begin, end).
template <class Call, class Rest>
[[gnu::always_inline]] inline void each_whole_block(const Call& call, index_t first, index_t last, const Rest& rest) {
  const index_t lanes = call.lanes, from = (first + lanes - 1) / lanes, to = last / lanes;
  if (from >= to) return rest(first, last);
  rest(first, from * lanes);
  if (call.p.m > 0 && call.p.n > 0 && call.p.loops > 0) call.run(from, to);
  rest(to * lanes, last);
}

}  // namespace detail

/// The whole blocks of lanes among entries [first, last), and `rest` for the entries around them; false where nothing
/// is interleaved, or lanes and vectors do not fit together.
template <class Isa, class T, class Rest>
[[gnu::always_inline]] inline bool run_interleaved(const problem<T>& p, index_t first, index_t last, const Rest& rest) {
  if (detail::lanes_in(p) == 1) return false;
  const detail::lane_call<Isa, T> call{p};
  if (!call.is_possible()) {
    if constexpr (requires { typename Isa::half; })
      return run_interleaved<typename Isa::half>(p, first, last, rest);
    else
      return false;
  }
  detail::each_whole_block(call, first, last, rest);
  return true;
}

}  // namespace tessera::simd
