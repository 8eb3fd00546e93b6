// SPDX-License-Identifier: BSD-3-Clause
// The 3-D mass matrices of as many elements as a vector has lanes by non-temporal stores, column by column.
#pragma once

#include <tessera/cpu/detail/element/column_writer.hpp>
#include <tessera/cpu/detail/element/matrix_block.hpp>
#include <tessera/cpu/detail/element/sums.hpp>

namespace tessera::simd {

/// Of d functions a direction, tested by themselves, at q points. A slice is the columns of equal j2 and j3,
///
///     D (q,q,q) -> (q,q; i3) for a j3 -> (q; i2,i3) for a j2 -> a slice S (p1; i2,i3), p1 the pairs {i1,j1} -> M
///
/// and one is computed while the one before is written. Numbers that pairs of the last two directions share are
/// computed again: so columns follow one another in memory, and all that is read is in L1. Both count for more than
/// sums, which non-temporal stores hide.
template <class Isa, class T, index_t d, index_t q>
class mass_column_kernel {
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size), pairs = d * (d + 1) / 2;
  static constexpr index_t slices = d * d, items = d * d, rows = d * d * d;

 public:
  /// Where a vector is a line of memory: of half as many lanes sums are not hidden (p = 3, 27 for 39 GB/s by pairs).
  static constexpr bool serves = sizeof(typename Isa::template vector<T>) == 64;

  [[gnu::flatten]] static void run(const matrix_block<T>& block) { mass_column_kernel(block).apply(); }
  /// How often run() takes a step of prefetching.
  static constexpr index_t steps = slices * items;
  /// Entries of scratch memory that run() needs.
  static constexpr index_t scratch() { return (q * q * d + q * d * d + 2 * pairs * items) * lanes; }

 private:
  // Where the entries of columns j1 = 0, 1, ... are in a slice: the same in all.
  struct place_list {
    int of[d * rows] = {};
    constexpr place_list() {
      int* to = of;
      for (index_t j1 = 0; j1 < d; ++j1)
        for (index_t item = 0; item < items; ++item)
          for (index_t i1 = 0; i1 < d; ++i1) *to++ = int((pairs * item + pair(i1, j1)) * lanes);
    }
    static constexpr index_t pair(index_t i, index_t j) { return i < j ? pair(j, i) : i + j * (2 * d - 1 - j) / 2; }
  };
  static constexpr place_list places{};

  explicit mass_column_kernel(const matrix_block<T>& block)
      : block_(block),
        of_(*block.pairs),
        planes_(block.scratch),
        lines_(planes_ + q * q * d * lanes),
        slice_(lines_ + q * d * d * lanes),
        next_slice_(slice_ + pairs * items * lanes),
        writer_(block.M, true) {
    if (block.prefetch != nullptr) prefetch_ = prefetcher::copy_of(*block.prefetch);
  }

  void apply() {
    to_planes(0);
    to_lines(0);
    for (index_t item = 0; item < items; ++item) to_slice(item, slice_);
    for (index_t next = 1; next <= slices; ++next) {
      writer_.begin(slice_, places.of, d * rows);
      const index_t all = writer_.squares();
      if (next < slices) {
        if (next % d == 0) to_planes(next / d);
        to_lines(next % d);
      }
      for (index_t item = 0; item < items; ++item) {
        prefetch_.step();
        if (next < slices) to_slice(item, next_slice_);
        writer_.advance(all * (item + 1) / items - all * item / items);
      }
      writer_.let_go();
      T* const done = slice_;
      slice_ = next_slice_;
      next_slice_ = done;
    }
    writer_.finish();
    if (block_.prefetch != nullptr) *block_.prefetch = prefetch_;
  }

  void to_planes(index_t j3) const {
    for (index_t k = 0; k < q * q; ++k)
      sums<Isa, T>(column(j3), {block_.D + k * lanes, q * q}, {planes_ + k * lanes, q * q});
  }
  void to_lines(index_t j2) const {
    for (index_t i3 = 0; i3 < d; ++i3)
      for (index_t k = 0; k < q; ++k)
        sums<Isa, T>(column(j2), {planes_ + (k + q * q * i3) * lanes, q}, {lines_ + (k + q * d * i3) * lanes, q});
  }
  // All pairs of item i2 + d i3.
  void to_slice(index_t item, T* slice) const {
    const sum_table<Isa, T, constant<pairs>, constant<q>> table{of_.of_pairs, {}, {}};
    sums<Isa, T>(table, {lines_ + q * item * lanes, 1}, {slice + pairs * item * lanes, 1});
  }
  sum_table<Isa, T, constant<d>, constant<q>> column(index_t j) const {
    return {of_.of_columns + d * q * j * table_width<Isa, T>, {}, {}};
  }

  const matrix_block<T>& block_;
  const matrix_pairs<T> of_;
  T *const planes_, *const lines_;
  T *slice_, *next_slice_;
  prefetcher prefetch_{};
  column_writer<Isa, T> writer_;
};

}  // namespace tessera::simd
