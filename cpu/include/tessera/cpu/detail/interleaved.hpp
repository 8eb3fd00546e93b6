// SPDX-License-Identifier: BSD-3-Clause
// Interleaved batches, computed a product a lane. An operand that the batch shares is repeated in every lane once a
// call.
#pragma once

#include <tessera/cpu/detail/job.hpp>
#include <tessera/cpu/detail/lane_block.hpp>
#include <tessera/cpu/detail/strip_grids.hpp>

namespace tessera::simd {

namespace detail {

inline constexpr index_t repeated_entries = 8192;  // the largest operand in all lanes: 64 KiB of doubles

// Each entry of a shared operand in all lanes of a vector, column by column.
template <class Isa, class T>
[[gnu::noinline]] void repeat_lanes(const factor<const T>& from, index_t rows, index_t columns, T* to) {
  using vector = typename Isa::template vector<T>;
  for (index_t c = 0; c < columns; ++c)
    for (index_t r = 0; r < rows; ++r, to += vector::size)
      vector(from.data[from.map.offset(r, c, 0)]).store_unaligned(to);
}

/// A call over whole blocks of `lanes` batch entries.
template <class Isa, class T>
struct lane_call {
  static constexpr index_t width = index_t(Isa::template vector<T>::size);
  const problem<T>& p;
  index_t lanes = p.out.lanes;

  [[gnu::always_inline]] bool is_shared(const factor<const T>& f, index_t entries) const {
    return tessera::detail::is_table(f, p.loops) && entries * width <= repeated_entries;
  }
  [[gnu::always_inline]] bool is_batched(const factor<const T>& f) const {
    return f.lanes == lanes && f.map.table == nullptr;
  }
  [[gnu::always_inline]] bool is_possible() const {
    return lanes % width == 0 && p.k <= k_chunk && p.out.map.table == nullptr && p.left_factors == 1 &&
           p.right_factors == 1 && (is_batched(p.left[0]) || is_shared(p.left[0], p.m * p.k)) &&
           (is_batched(p.right[0]) || is_shared(p.right[0], p.k * p.n));
  }

  /// Blocks [first, last).
  [[gnu::always_inline]] void run(index_t first, index_t last) const {
    alignas(64) T left_buffer[repeated_entries], right_buffer[repeated_entries];
    const factor<const T>&left = p.left[0], &right = p.right[0];
    const bool repeats_left = !is_batched(left), repeats_right = !is_batched(right);
    const run_time_map &a = left.map, &b = right.map, &out = p.out.map;
    const scale<T> s{p.alpha, p.beta};
    strip<T> each{};
    each.a_row = repeats_left ? width : a.row, each.a_column = repeats_left ? p.m * width : a.col;
    each.b_row = repeats_right ? width : b.row, each.b_column = repeats_right ? p.k * width : b.col;
    each.out_row = out.row, each.out_column = out.col;
    each.k = p.k, each.overwrites = s.alpha == T(1) && s.beta == T(0), each.s = &s;
    strip_place<T> at{left.data + first * left.batch_stride, right.data + first * right.batch_stride,
                      p.out.data + first * p.out.batch_stride};
    if (repeats_left) repeat_lanes<Isa>(left, p.m, p.k, left_buffer), at.a = left_buffer;
    if (repeats_right) repeat_lanes<Isa>(right, p.k, p.n, right_buffer), at.b = right_buffer;

    // Vectors of a block of lanes: few are listed with the product's blocks, more are a loop.
    constexpr index_t most_listed = 4;
    const index_t vectors = lanes / width, listed = vectors <= most_listed ? vectors : 1;
    const repeat vector{vectors / listed, repeats_left ? 0 : width, repeats_right ? 0 : width, width};
    repeats all;
    all.join(vector);
    for (int i = 0; p.loops > 1 && i < out.loop_rank; ++i)
      all.join({out.loop_extent[i], repeats_left ? 0 : a.loop_stride[i], repeats_right ? 0 : b.loop_stride[i],
                out.loop_stride[i]});
    all.join({last - first, left.batch_stride, right.batch_stride, p.out.batch_stride});
    if (all.count == 0) all.digit[all.count++] = {1, 0, 0, 0};

    const even_cut rows(p.m, most_lane_rows<Isa>), columns(p.n, most_lane_columns<Isa>);
    const index_t entries = width * ((repeats_left ? 0 : p.m * p.k) + (repeats_right ? 0 : p.k * p.n) + p.m * p.n);
    const index_t fitting = products_in_l1<T>(entries), count = all.digit[0].count;
    const bool once = rows.pieces() == 1 && columns.pieces() == 1;
    strip_grids<T> grids(each, all.digit[0], once || fitting > count ? count : fitting);
    for (index_t v = 0; v < listed; ++v)
      add_blocks(grids, each, rows, columns, {1, v * vector.a, v * vector.b, v * vector.out});
    grids.run_all(at, all);
  }

 private:
  [[gnu::always_inline]] static void add_blocks(strip_grids<T>& grids, const strip<T>& each, const even_cut& rows,
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

}  // namespace detail

/// The whole blocks of an interleaved batch among entries [first, last), and `rest` for the entries around them; false
/// where lanes and vectors do not fit together.
template <class Isa, class T, class Rest>
[[gnu::always_inline]] inline bool run_interleaved(const problem<T>& p, index_t first, index_t last, const Rest& rest) {
  const detail::lane_call<Isa, T> call{p};
  if (!call.is_possible()) {
    if constexpr (requires { typename Isa::half; })
      return run_interleaved<typename Isa::half>(p, first, last, rest);
    else
      return false;
  }
  const index_t lanes = call.lanes, from = (first + lanes - 1) / lanes, to = last / lanes;
  if (from >= to) {
    rest(first, last);
    return true;
  }
  rest(first, from * lanes);
  if (p.m > 0 && p.n > 0 && p.loops > 0) call.run(from, to);
  rest(to * lanes, last);
  return true;
}

}  // namespace tessera::simd
