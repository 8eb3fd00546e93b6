// SPDX-License-Identifier: BSD-3-Clause
// Writes the sums of a tile, scaled and on top of an addend; or as a part of a sum, to a workspace.
#pragma once

#include <tessera/gpu/detail/general/arguments.hpp>
#include <tessera/gpu/detail/general/instructions.cuh>
#include <tessera/gpu/detail/general/work.cuh>

namespace tessera::device {

/// Of a factor the real part, where sums are real.
template <class Sum>
__device__ Sum factor_of(const complex<double>& z) {
  if constexpr (is_complex<Sum>)
    return Sum(z);
  else
    return Sum(z.re);
}

/// A tile of one tensor: its lines, and where it begins in memory.
template <class Work>
struct tile_place {
  int first_row[Work::rows::count + 1], first_col[Work::cols::count + 1];
  index_t left = 0, right = 0, addend = 0, out = 0;

  /// Tiles of a tensor come in the order of the output, or by panels; then the batch's digits, then tensors.
  __device__ tile_place(const general_arguments& a, index_t number) {
    using rows = typename Work::rows;
    using cols = typename Work::cols;
    constexpr index_t tiles = index_t(rows::all_boxes()) * cols::all_boxes();
    index_t tensor = number / tiles;
    // Divisions of 32 bits take a third of the code.
    auto rest = place<(tiles > 0x7fffffff)>(number - tensor * tiles);
    if constexpr (Work::panel > 0) rest = decltype(rest)(in_panels(rest));
#pragma unroll
    for (int i = 0; i < rows::count + cols::count; ++i) {
      const int r = int(Work::order::at(i)), c = r - rows::count;
      if (r < rows::count) {
        first_row[r] = int(rest % rows::boxes(r)) * rows::box(r);
        rest /= decltype(rest)(rows::boxes(r));
        left += first_row[r] * Work::left::of_line(r);
        addend += first_row[r] * Work::addend_rows::at(r);
        out += first_row[r] * Work::out_rows::at(r);
      } else {
        first_col[c] = int(rest % cols::boxes(c)) * cols::box(c);
        rest /= decltype(rest)(cols::boxes(c));
        right += first_col[c] * Work::right::of_line(c);
        addend += first_col[c] * Work::addend_cols::at(c);
        out += first_col[c] * Work::out_cols::at(c);
      }
    }
#pragma unroll
    for (int d = 0; d < Work::batch::count; ++d) {
      const index_t at = tensor % Work::batch::at(d);
      tensor /= Work::batch::at(d);
      left += at * Work::left_batch::at(d);
      right += at * Work::right_batch::at(d);
      addend += at * Work::addend_batch::at(d);
      out += at * Work::out_batch::at(d);
    }
    left += tensor * a.left_stride;
    right += tensor * a.right_stride;
    addend += tensor * a.addend_stride;
    out += tensor * a.out_stride;
  }

 private:
  // The order has all digits of one side first.
  __device__ static index_t in_panels(index_t number) {
    constexpr bool rows_first = Work::order::count == 0 || Work::order::at(0) < Work::rows::count;
    constexpr index_t rows = Work::rows::all_boxes(), cols = Work::cols::all_boxes();
    return place_in_panels<Work::panel>(number, rows_first ? rows : cols, rows_first ? cols : rows);
  }
};

/// Entries side by side in one access of 4, 8 or 16 bytes.
template <class Entry, int count>
union entries_as_words {
  static constexpr int words = count * int(sizeof(Entry)) / 4;
  Entry at[count];
  unsigned word[words];

  __device__ entries_as_words() {}
  __device__ void load(const Entry* from) {
    if constexpr (words == 4) {
      const uint4 all = *reinterpret_cast<const uint4*>(from);
      word[0] = all.x, word[1] = all.y, word[2] = all.z, word[3] = all.w;
    } else if constexpr (words == 2) {
      const uint2 all = *reinterpret_cast<const uint2*>(from);
      word[0] = all.x, word[1] = all.y;
    } else {
      word[0] = *reinterpret_cast<const unsigned*>(from);
    }
  }
  __device__ void store(Entry* to) const {
    if constexpr (words == 4 || words == 2)
      store_words(to, word);
    else
      *reinterpret_cast<unsigned*>(to) = word[0];
  }
};

template <class Work, class Math>
class result_of_tile {
 public:
  using types = typename Work::types;
  using out_entry = typename types::out;
  using addend_entry = typename types::addend;
  using sum_type = typename types::sum;
  using functions = typename types::functions;
  using rows = typename Work::rows;
  using cols = typename Work::cols;

  /// `thread`: whose rows and columns. Places of lines are found again for each tile, in no registers while sums are
  /// made.
  __device__ result_of_tile(const general_arguments& a, const tile_place<Work>& tile, int thread)
      : tile_(tile),
        out_(static_cast<out_entry*>(a.out) + tile.out),
        addend_(Work::addend == addend_place::own ? static_cast<const addend_entry*>(a.addend) + tile.addend : nullptr),
        alpha_(factor_of<sum_type>(a.alpha)),
        beta_(factor_of<sum_type>(a.beta)),
        thread_(thread) {}

  /// sums(i, j) of row i and column j of a thread.
  template <class Sums>
  __device__ __forceinline__ void store(const Sums& sums) const {
#pragma unroll
    for (int i = 0; i < Math::row_count; ++i) store_line(sums, i);
  }
  /// The same of rows from `from` up to `to`, of sums that are in memory: code for one row.
  template <class Sums>
  __device__ __forceinline__ void store(const Sums& sums, int from, int to) const {
#pragma unroll 1
    for (int i = from; i < to; ++i) store_line(sums, i);
  }

  /// Of a part of the sums in a workspace: how many it has, and where those of row i and column j are.
  static constexpr int part = Math::row_count * Math::col_count * Work::owners;
  __device__ int place_in_part(int i, int j) const { return (i * Math::col_count + j) * Work::owners + thread_; }
  __device__ bool has(int i, int j) const { return place_of_row(i).is_there && place_of_col(j).is_there; }
  template <class Sums>
  __device__ __forceinline__ void store_part(const Sums& sums, sum_type* to) const {
#pragma unroll
    for (int i = 0; i < Math::row_count; ++i)
#pragma unroll
      for (int j = 0; j < Math::col_count; ++j)
        if (has(i, j)) put_entry(to + place_in_part(i, j), sums(i, j));
  }

 private:
  struct place {
    index_t out = 0, addend = 0;
    bool is_there = true;
  };
  template <class Sums>
  __device__ __forceinline__ void store_line(const Sums& sums, int i) const {
    if constexpr (Work::out_at_once > Math::cols_together)
      store_exchanged<Work::out_at_once / Math::cols_together, 0>(sums, i, place_of_row(i));
    else
      store_row(sums, i, place_of_row(i));
  }
  template <class Sums>
  __device__ __forceinline__ void store_row(const Sums& sums, int i, const place& row) const {
    constexpr int together = Work::out_at_once;
    // Otherwise only the store depends on it, without a branch.
    constexpr bool skips = Work::addend != addend_place::none || has_own_result<typename Work::types::functions>();
#pragma unroll
    for (int j = 0; j < Math::col_count; j += together) {
      const place col = place_of_col(j);
      const bool is_there = row.is_there && col.is_there;
      if (skips && !is_there) continue;
      out_entry* const at = out_ + row.out + col.out;
      if constexpr (together > 1) {
        entries_as_words<out_entry, together> now, old;
        if constexpr (Work::addend == addend_place::out) old.load(at);
#pragma unroll
        for (int x = 0; x < together; ++x)
          now.at[x] = result(sums(i, j + x), old.at[x], row.addend + place_of_col(j + x).addend);
        if (is_there) now.store(at);
      } else {
        out_entry old;
        if constexpr (Work::addend == addend_place::out) old = *at;
        const out_entry now = result(sums(i, j), old, row.addend + col.addend);
        if (is_there) *at = now;
      }
    }
  }
  // Four lanes have the 8 columns of a row of each tile, two each. They exchange them, a lane getting the entries of
  // `count` lanes in one of `count` tiles, which it writes at once; of fewer tiles after those. From column `first` on.
  template <int count, int first, class Sums>
  __device__ __forceinline__ void store_exchanged(const Sums& sums, int i, const place& row) const {
    constexpr int pair = Math::cols_together, chunk = pair * count,
                  end = first + (Math::col_count - first) / chunk * chunk;
    static_assert(count == 1 || count == 2 || count == 4);
#pragma unroll
    for (int j = first; j < end; j += chunk) {
      entries_as_words<out_entry, chunk> all;
#pragma unroll
      for (int t = 0; t < count; ++t) all.word[t] = pair_of(sums, i, j + pair * t, row);
      exchange<count>(all.word);
      const int lane = thread_ % 4, tile = lane % count;
      const place col = place_of_column(Math::col(j, thread_) + 4 * pair * tile - pair * tile);
      if (row.is_there && col.is_there) all.store(out_ + row.out + col.out);
    }
    if constexpr (end < Math::col_count) store_exchanged<count / 2, end>(sums, i, row);
  }
  // The results of columns j and j + 1, which lie in one word.
  template <class Sums>
  __device__ __forceinline__ unsigned pair_of(const Sums& sums, int i, int j, const place& row) const {
    constexpr int pair = Math::cols_together;
    using words = entries_as_words<out_entry, pair>;
    static_assert(pair == 2 && words::words == 1);
    const place col = place_of_col(j);
    words now, old;
    now.word[0] = 0;
    if (!row.is_there || !col.is_there) return 0;
    if constexpr (Work::addend == addend_place::out) old.load(out_ + row.out + col.out);
#pragma unroll
    for (int x = 0; x < pair; ++x)
      now.at[x] = result(sums(i, j + x), old.at[x], row.addend + place_of_col(j + x).addend);
    return now.word[0];
  }
  // Word t of lane l becomes word l of lane t, for each `count` lanes.
  template <int count>
  __device__ __forceinline__ void exchange(unsigned (&word)[count]) const {
#pragma unroll
    for (int distance = 1; distance < count; distance *= 2) {
      const bool upper = thread_ & distance;
#pragma unroll
      for (int t = 0; t < count; ++t) {
        if (t & distance) continue;
        const unsigned got = __shfl_xor_sync(0xffffffffu, upper ? word[t] : word[t + distance], distance);
        if (upper)
          word[t] = got;
        else
          word[t + distance] = got;
      }
    }
  }
  __device__ place place_of_row(int i) const {
    return place_of<rows, typename Work::out_rows, typename Work::addend_rows, Work::down * Work::warps_down>(
        Math::row(i, thread_), tile_.first_row);
  }
  __device__ place place_of_col(int j) const { return place_of_column(Math::col(j, thread_)); }
  __device__ place place_of_column(int number) const {
    return place_of<cols, typename Work::out_cols, typename Work::addend_cols, Work::across * Work::warps_across>(
        number, tile_.first_col);
  }
  // Entry `number` of a box in the output, and whether there is one. Boxes that fill the warps' tiles have them all.
  template <class Lines, class Out, class Addend, int of_warps, class First>
  __device__ static place place_of(int number, const First& first) {
    place made;
#pragma unroll
    for (int d = 0; d < Lines::count; ++d) {
      const bool is_last = d + 1 == Lines::count;  // what is left, without a division
      const int at = is_last ? number : number % Lines::box(d);
      if (!is_last) number /= Lines::box(d);
      made.out += at * Out::at(d);
      made.addend += at * Addend::at(d);
      if (Lines::has_edge(d)) made.is_there = made.is_there && first[d] + at < Lines::extent(d);
      if (is_last && Lines::size() < of_warps) made.is_there = made.is_there && at < Lines::box(d);
    }
    if (Lines::count == 0 && of_warps > 1) made.is_there = number == 0;
    return made;
  }

  __device__ out_entry result(sum_type sum, const out_entry& old, index_t addend) const {
    if constexpr (types::scales) sum = alpha_ * sum;
    if constexpr (Work::addend == addend_place::out)
      on_top(sum, functions::addend(converted<sum_type>(old)));
    else if constexpr (Work::addend == addend_place::own)
      on_top(sum, functions::addend(converted<sum_type>(addend_[addend])));
    return converted<out_entry>(functions::result(sum));
  }
  __device__ void on_top(sum_type& sum, const sum_type& addend) const {
    if constexpr (types::scales)
      sum = sum + beta_ * addend;
    else
      sum = functions::add(sum, addend);
  }

  const tile_place<Work>& tile_;
  out_entry* out_;
  const addend_entry* addend_;
  sum_type alpha_, beta_;
  int thread_;
};

}  // namespace tessera::device
