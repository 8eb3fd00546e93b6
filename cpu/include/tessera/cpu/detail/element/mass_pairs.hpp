// SPDX-License-Identifier: BSD-3-Clause
// The 3-D mass matrices of as many elements as a vector has lanes: each number computed once.
#pragma once

#include <tessera/cpu/detail/element/column_writer.hpp>
#include <tessera/cpu/detail/element/matrix_block.hpp>
#include <tessera/cpu/detail/element/sums.hpp>

namespace tessera::simd {

/// Of d functions a direction, tested by themselves, at q points. For each pair p3 = {i3,j3} of the last direction
///
///     D (q,q,q) -> (q,q) -> (q; p2) -> a slice S (p1,p2) -> M
///
/// S goes to two places of M, and its entries, looked up for 16 rows at a time, are transposed once for both.
template <class Isa, class T, index_t d, index_t q>
class mass_pair_kernel {
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size), pairs = d * (d + 1) / 2;
  static constexpr index_t plane = d * d, rows = d * plane;
  using writer = column_writer<Isa, T>;

 public:
  /// The first d d places of a column j1 + d j2 are p1 + pairs p2.
  [[gnu::flatten]] static void run(const matrix_block<T>& block) { mass_pair_kernel(block).apply(); }
  /// How often run() takes a step of prefetching.
  static constexpr index_t steps = 2 * pairs * plane;
  /// Entries of scratch memory that run() needs.
  static constexpr index_t scratch() { return (q * q + q * pairs + pairs * pairs) * lanes; }

 private:
  explicit mass_pair_kernel(const matrix_block<T>& block)
      : block_(block),
        of_(*block.pairs),
        plane_(block.scratch),
        lines_(plane_ + q * q * lanes),
        slice_(lines_ + q * pairs * lanes),
        writer_(block.M, block.nontemporal) {
    if (block.prefetch != nullptr) prefetch_ = prefetcher::copy_of(*block.prefetch);
  }

  void apply() {
    index_t pair = 0;
    for (index_t j = 0; j < d; ++j)
      for (index_t i = j; i < d; ++i, ++pair) {
        to_slice(pair);
        for (index_t column = 0; column < plane; ++column) {
          prefetch_.step();
          prefetch_.step();
          for (index_t row = 0; row < plane; row += writer::put_at_once)
            writer_.put_twice(slice_, of_.places + column * rows + row, at(row, column, i, j), at(row, column, j, i));
        }
      }
    if (block_.prefetch != nullptr) *block_.prefetch = prefetch_;
  }
  static constexpr index_t at(index_t row, index_t column, index_t i3, index_t j3) {
    return row + plane * i3 + rows * (column + plane * j3);
  }

  void to_slice(index_t pair) const {
    const sum_table<Isa, T, constant<1>, constant<q>> one{of_.of_pairs + pair * q * table_width<Isa, T>, {}, {}};
    const sum_table<Isa, T, constant<pairs>, constant<q>> all{of_.of_pairs, {}, {}};
    for (index_t k = 0; k < q * q; ++k) sums<Isa, T>(one, {block_.D + k * lanes, q * q}, {plane_ + k * lanes, 1});
    for (index_t k = 0; k < q; ++k) sums<Isa, T>(all, {plane_ + k * lanes, q}, {lines_ + k * lanes, q});
    for (index_t p2 = 0; p2 < pairs; ++p2)
      sums<Isa, T>(all, {lines_ + q * p2 * lanes, 1}, {slice_ + pairs * p2 * lanes, 1});
  }

  const matrix_block<T>& block_;
  const matrix_pairs<T> of_;
  T *const plane_, *const lines_, *const slice_;
  prefetcher prefetch_{};
  writer writer_;
};

}  // namespace tessera::simd
