// SPDX-License-Identifier: BSD-3-Clause
// The mass matrices of as many elements as a vector has lanes: few distinct numbers, each written to many places.
#pragma once

#include <tessera/cpu/detail/element/column_writer.hpp>
#include <tessera/cpu/detail/element/mass_columns.hpp>
#include <tessera/cpu/detail/element/mass_pairs.hpp>
#include <tessera/cpu/detail/element/matrix_block.hpp>
#include <tessera/cpu/detail/element/sums.hpp>

namespace tessera::simd {

/// M(i,j) is the sum over points of D times a product of one-dimensional functions B(k,i) B(k,j), one a direction, and
/// such a product is that of the pair {i,j}. So D is contracted with the functions of pairs, direction by direction; in
/// 3-D, with p1 and p2 being pairs,
///
///     D (q,q,q) -> (p1; q,q) -> (p1,p2; q) -> a slice S (p1,p2; i3) of columns with equal j3 -> M
///
/// at last one slice while the one before is written: its entries are looked up in S, each of them up to four times.
/// Of `known_functions` a direction, tested by themselves, at `known_points`; of any sizes where these are 0. Where
/// those squared are whole pairs of vectors there are, in 3-D, kernels of their own for whole matrices.
template <class Isa, class T, int dim, index_t known_functions = 0, index_t known_points = 0>
class mass_matrix_kernel {
  using vector = typename Isa::template vector<T>;

 public:
  static constexpr index_t lanes = index_t(vector::size);

  static void run(const matrix_block<T>& block) {
    if constexpr (has_own)
      if (block.how == matrix_storage::full && block.components == 1) {
        if constexpr (columns::serves)
          if (block.nontemporal) return columns::run(block);
        return pairs::run(block);
      }
    run_by_slices(block);
  }

  /// How often run() takes a step of prefetching at least, but for components.
  static index_t steps(const matrix_pairs<T>& p) {
    if constexpr (has_own) {
      static_assert(columns::steps <= pairs::steps);
      return columns::steps;
    }
    return p.trial * items_of(p);
  }
  /// Entries of scratch memory that run() needs.
  static index_t scratch(const matrix_pairs<T>& p) {
    const index_t vectors = (dim < 3 ? 0 : p.count * p.points * p.points) + (dim < 2 ? 0 : items_of(p) * p.points) +
                            2 * p.test * items_of(p) + 1;
    if constexpr (has_own) {
      constexpr index_t count = known_functions * (known_functions + 1) / 2,
                        slices = 2 * known_functions * count * count;
      static_assert(columns::scratch() <= slices * lanes && pairs::scratch() <= slices * lanes, "they need less");
    }
    return vectors * lanes + 2 * power(p.test, dim);  // of a type no smaller than int
  }
  /// Where the entries of column j1 + d j2 of a slice are in it.
  static void place_column(const matrix_pairs<T>& p, index_t column, int* to) {
    const index_t t = p.test, items = items_of(p);
    const int *const pair1 = p.pair + t * (column % p.trial), *const pair2 = p.pair + t * (column / p.trial);
    for (index_t i = 0; i < t; ++i) {
      if constexpr (dim == 1) *to++ = int(i * lanes);
      if constexpr (dim > 1)
        for (index_t i2 = 0; i2 < (dim == 3 ? t : 1); ++i2) {
          const index_t line = items * i + (dim == 3 ? pair2[i2] * p.count : 0);
          for (index_t i1 = 0; i1 < t; ++i1) *to++ = int((line + pair1[i1]) * lanes);
        }
    }
  }

 private:
  static constexpr index_t power(index_t base, int exponent) {
    index_t product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }
  using columns = mass_column_kernel<Isa, T, known_functions, known_points>;
  using pairs = mass_pair_kernel<Isa, T, known_functions, known_points>;
  static constexpr bool has_own = dim == 3 && known_functions > 0 &&
                                  (known_functions * known_functions) % column_writer<Isa, T>::put_at_once == 0;
  [[gnu::flatten]] static void run_by_slices(const matrix_block<T>& block) { mass_matrix_kernel(block).apply(); }

  // Of a slice, for each test function of the last direction: pairs of the directions before it.
  static index_t items_of(const matrix_pairs<T>& p) { return power(p.count, dim - 1); }

  explicit mass_matrix_kernel(const matrix_block<T>& block)
      : block_(block), of_(*block.pairs), items_(power(count(), dim - 1)), writer_(block.M, block.nontemporal) {
    T* free = block.scratch;
    const auto take = [&](index_t vectors) {
      T* const taken = free;
      free += vectors * lanes;
      return taken;
    };
    if constexpr (dim == 3) first_ = take(count() * points() * points());
    if constexpr (dim > 1) lines_ = take(items() * points());
    slice_ = take(test() * items());
    next_slice_ = take(test() * items());
    zero_ = take(1);
    places_ = reinterpret_cast<int*>(free);
    zeros_ = places_ + rows();
    if (block.prefetch != nullptr) prefetch_ = prefetcher::copy_of(*block.prefetch);
  }

  static constexpr bool known = known_functions > 0;
  /// n where sizes are known.
  template <index_t n>
  static auto size(index_t given) {
    if constexpr (known)
      return constant<n>{};
    else
      return given;
  }
  auto trial() const { return size<known_functions>(of_.trial); }
  auto test() const { return size<known_functions>(of_.test); }
  auto points() const { return size<known_points>(of_.points); }
  auto count() const { return size<known_functions*(known_functions + 1) / 2>(of_.count); }
  index_t items() const {
    if constexpr (known)
      return power(count(), dim - 1);
    else
      return items_;
  }
  index_t rows() const { return power(test(), dim); }

  void apply() {
    to_lines();
    if (block_.components > 1) {
      vector(T(0)).store_aligned(zero_);
      for (index_t i = 0; i < rows(); ++i) zeros_[i] = 0;
    }
    for (index_t item = 0; item < items(); ++item) to_slice(0, item, slice_);
    const index_t slices = block_.components * trial();
    for (index_t slice = 0; slice < slices; ++slice) {
      begin_slice(slice);
      const index_t all = squares_of_slice();
      index_t written = 0;
      // The next slice, or only a pause, while this one is written.
      for (index_t item = 0; item < items(); ++item) {
        prefetch_.step();
        if (slice + 1 < slices) to_slice((slice + 1) % trial(), item, next_slice_);
        for (; written * items() < all * (item + 1); ++written) write_square();
      }
      end_slice();
      T* const done = slice_;
      slice_ = next_slice_;
      next_slice_ = done;
    }
    writer_.finish();
    if (block_.prefetch != nullptr) *block_.prefetch = prefetch_;
  }

  // ---- Numbers

  void to_lines() {
    const index_t q = points(), n = count();
    const sum_table<Isa, T, decltype(count()), decltype(points())> table{of_.of_pairs, count(), points()};
    if constexpr (dim == 2)
      for (index_t l = 0; l < q; ++l) line_sums(table, block_.D + l * q * lanes, 1, lines_ + l * n * lanes, 1);
    if constexpr (dim == 3) {
      for (index_t l = 0; l < q * q; ++l) line_sums(table, block_.D + l * q * lanes, 1, first_ + l * n * lanes, 1);
      for (index_t k3 = 0; k3 < q; ++k3)
        for (index_t p1 = 0; p1 < n; ++p1)
          line_sums(table, first_ + (p1 + n * q * k3) * lanes, n, lines_ + (p1 + n * n * k3) * lanes, n);
    }
  }
  // Of slice j the numbers of one item, test function i at [item + items i].
  void to_slice(index_t j, index_t item, T* slice) const {
    const sum_table<Isa, T, decltype(test()), decltype(points())> column{
        of_.of_columns + test() * points() * j * table_width<Isa, T>, test(), points()};
    line_sums(column, dim == 1 ? block_.D : lines_ + item * lanes, items(), slice + item * lanes, items());
  }
  template <class Table>
  static void line_sums(const Table& table, const T* from, index_t step, T* to, index_t to_step) {
    sums<Isa, T>(table, {from, step}, {to, to_step});
  }

  // ---- Places

  void begin_slice(index_t slice) {
    component_ = int(slice / trial());
    j_ = slice % trial();
    column_ = 0;
    piece_ = pieces();
  }
  index_t columns_of_slice() const { return power(trial(), dim - 1); }
  // A column has a piece for each component, but for those above the diagonal.
  int pieces() const { return block_.components; }
  bool packed() const { return block_.how == matrix_storage::lower_packed; }
  index_t squares_of_slice() const { return columns_of_slice() * rows() * block_.components / lanes + 1; }

  void write_square() {
    while (writer_.squares() == 0 && begin_piece()) {
    }
    writer_.advance(1);
  }
  void end_slice() {
    writer_.advance(writer_.squares());
    while (begin_piece()) writer_.advance(writer_.squares());
    writer_.let_go();
  }

  const int* places_of_column() {
    if (of_.places != nullptr) return of_.places + column_ * rows();
    writer_.let_go();  // of the list
    place_column(of_, column_, places_);
    return places_;
  }

  // The next column's part of a component; false behind the slice's last one.
  bool begin_piece() {
    if (piece_ == pieces()) {
      if (column_ == columns_of_slice()) return false;
      if (of_.places != nullptr && !packed() && pieces() == 1) {  // all columns as one
        writer_.begin(slice_, of_.places, columns_of_slice() * rows());
        column_ = columns_of_slice();
        return true;
      }
      piece_ = packed() ? component_ : 0;
    }
    if (piece_ == component_) {
      const index_t above = packed() ? column_ + columns_of_slice() * j_ : 0;
      writer_.begin(slice_, places_of_column() + above, rows() - above);
    } else {
      writer_.begin(zero_, zeros_, rows());
    }
    if (++piece_ == pieces()) ++column_;
    return true;
  }

  const matrix_block<T>& block_;
  const matrix_pairs<T> of_;
  const index_t items_;
  T *first_ = nullptr, *lines_ = nullptr, *slice_, *next_slice_, *zero_ = nullptr;
  int *places_, *zeros_;
  prefetcher prefetch_{};
  int component_ = 0, piece_ = 0;
  index_t j_ = 0, column_ = 0;
  column_writer<Isa, T> writer_;
};

}  // namespace tessera::simd
