// SPDX-License-Identifier: BSD-3-Clause
// An operand's entries as numbers of a real type in a buffer, for a block of batch entries and loop steps.
#pragma once

#include <cstdlib>
#include <limits>
#include <utility>

#include <tessera/cpu/detail/entry_functions.hpp>
#include <tessera/detail/problem.hpp>

#include "entry_nest.hpp"

namespace tessera::detail {

/// What a call of a kernel computes: `count` batch entries from `entry` on, and `steps` loop steps from `step` on: the
/// first `loops` loop digits, of the last one only `piece` steps. With lanes > 1, whole blocks of lanes.
struct problem_block {
  index_t entry = 0, count = 1;
  index_t lanes = 1;
  index_t step = 0, steps = 1;
  int loops = 0;
  index_t piece = 1;
};

/// How an entry is written: a number; a complex one as two rows; or as two rows by two columns (`expansion`).
enum class image_form { number, rows, matrix };

/// The factors of an operand: one, or two that are multiplied. `Entry` is const for inputs.
template <class Entry>
struct factors_of {
  const factor<Entry>* factors;
  int count;
  bool conjugated[2];
  bool transposed;  // rows are the factors' columns
  index_t rows, cols;
  Entry* const* members[2];  // of groups: the batch entries' addresses, in place of the factor's data and strides

  bool is_group() const { return members[0] != nullptr || (count == 2 && members[1] != nullptr); }
  /// Where factor f of a batch entry begins.
  Entry* start(int f, index_t entry) const {
    return members[f] != nullptr ? members[f][entry] : factors[f].start(entry);
  }
};

template <class Entry, class T>
class entry_image {
 public:
  using value = std::remove_const_t<Entry>;
  using number = std::conditional_t<is_complex<value>, complex<T>, T>;

  /// `largest` is the block that it has to have space for.
  entry_image(const factors_of<Entry>& of, image_form form, const problem_block& largest, const index_t* loop_extent)
      : of_(of), form_(form) {
    for (int f = 0; f < of.count; ++f) {
      const run_time_map& map = of.factors[f].map;
      split_[f] = map.split_rows != nullptr ? map.split_rows : map.split_cols;
    }
    // Members of a group are written one by one, and so is what they are multiplied with.
    for (int f = 0; f < of.count && !of.is_group(); ++f)
      if (largest.lanes > 1 && of.factors[f].lanes > 1) map_.lanes = largest.lanes;
    list_loops(largest, loop_extent);
    assign_places();
  }

  index_t size() const { return size_; }
  void place(T* memory) { map_.data = memory; }

  /// The block as a real operand: rows of parts, and columns of them.
  template <class To>
  factor<To> as_factor(const problem_block& block) const {
    factor<To> real{map_.data, map_.batch_stride, map_.lanes, map_.map};
    if (block.loops > 0) real.map.loop_extent[block.loops - 1] = block.piece;
    return real;
  }

  /// Fills in the block unless the image holds it.
  void hold(const problem_block& block, const entry_functions& functions, const expansion<T>& by = {}) {
    const position wanted = position_of(block);
    if (size_ == 0 || wanted == held_) return;
    held_ = wanted;
    load(block, functions, by, nullptr);
  }
  /// Fills in the block, scaled unless null.
  void load(const problem_block& block, const entry_functions& functions, const expansion<T>& by, const number* scale) {
    each_nest(block, [&](const position& from, T* image, const index_t* at, const loop& inner, const loop& outer) {
      if (scale == nullptr && of_.count == 1 && from.table[0] == nullptr && split_[0] == nullptr &&
          inner.step[0] == 1 && load_runs(from.data[0] + at[0], image, inner, outer, functions, by))
        return;
      for (index_t j = 0; j < outer.extent; ++j)
        for (index_t i = 0; i < inner.extent; ++i) {
          number read = entry(from, 0, at, i, j, inner, outer);
          if (of_.count == 2) read *= entry(from, 1, at, i, j, inner, outer);
          if (scale != nullptr) read = *scale * read;
          write(image + i * inner.step[to_] + j * outer.step[to_], read, by);
        }
    });
  }
  /// The output: writes the block's entries.
  void store(const problem_block& block, const entry_functions& functions) const {
    each_nest(block, [&](const position& to, const T* image, const index_t* at, const loop& inner, const loop& outer) {
      if (to.table[0] == nullptr && inner.step[0] == 1 &&
          store_runs(image, to.data[0] + at[0], inner, outer, functions))
        return;
      for (index_t j = 0; j < outer.extent; ++j)
        for (index_t i = 0; i < inner.extent; ++i) {
          const T* const from = image + i * inner.step[to_] + j * outer.step[to_];
          Entry& entry = to.data[0][offset(to, 0, at, i, j, inner, outer)];
          if constexpr (is_complex<value>)
            entry = value(from[0], from[part_]);
          else
            entry = value(*from);
        }
    });
  }

 private:
  // Arrays of a nest: the factors' memory, their tables (or the index that is split into digits), and the image.
  static constexpr int table_ = 2, to_ = 4, arrays = 5;
  using loop = entry_loop<arrays>;

  // Where a block begins, in memory and tables; and of what it depends on, how much.
  struct position {
    Entry* data[2] = {nullptr, nullptr};
    const index_t* table[2] = {nullptr, nullptr};
    index_t piece = -1, entry = -1, count = -1;
    friend bool operator==(const position&, const position&) = default;
  };

  // A loop of the operand and where its distance in the image belongs.
  struct operand_loop {
    loop each;
    index_t* place;
    enum kind { lane, row, column, step, batch } of;
    int digit;
    bool is_scattered;  // at no constant distance

    bool moves() const {
      if (is_scattered) return true;
      for (int i = 0; i < to_; ++i)
        if (each.step[i] != 0) return true;
      return false;
    }
    // Small where entries are close to each other in memory. Those of a batch lie behind each other whatever their
    // distance: how large the image is must not change how the kernels read an entry.
    index_t distance() const {
      if (of == lane) return 0;
      if (of == batch) return largest_distance;
      for (const int i : order_of_arrays)
        if (each.step[i] != 0) return std::abs(each.step[i]);
      return largest_distance;
    }
    static constexpr index_t largest_distance = std::numeric_limits<index_t>::max();
    static constexpr int order_of_arrays[] = {0, table_, 1, table_ + 1};
  };

  void list_loops(const problem_block& largest, const index_t* loop_extent) {
    const bool has_lanes = map_.lanes > 1;
    const auto list = [&](auto kind, index_t extent, index_t* place, int digit, auto&& step_of) {
      operand_loop& next = loops_[count_++];
      next = {{extent, {}}, place, kind, digit, false};
      for (int f = 0; f < of_.count; ++f) step_of(of_.factors[f], next.each.step[f], next.each.step[table_ + f]);
    };
    using factor_of = factor<Entry>;
    if (has_lanes)
      list(operand_loop::lane, largest.lanes, nullptr, -1,
           [](const factor_of& f, index_t& step, index_t&) { step = f.lanes > 1 ? 1 : f.batch_stride; });
    const auto along = [&](bool columns) {
      return [=](const factor_of& f, index_t& step, index_t& in_table) {
        const bool by_column = columns;
        if (f.map.table != nullptr)
          in_table = by_column ? f.map.rows : 1;
        else if ((by_column ? f.map.split_cols : f.map.split_rows) != nullptr)
          in_table = 1;
        else
          step = by_column ? f.map.col : f.map.row;
      };
    };
    list(operand_loop::row, of_.rows, &map_.map.row, -1, along(of_.transposed));
    list(operand_loop::column, of_.cols, &map_.map.col, -1, along(!of_.transposed));
    index_t steps = 1;
    for (int i = 0; i < largest.loops; ++i) {
      const index_t extent = i + 1 == largest.loops ? largest.piece : loop_extent[i];
      list(operand_loop::step, extent, &map_.map.loop_stride[i], i,
           [&](const factor_of& f, index_t& step, index_t& in_table) {
             (f.map.table != nullptr ? in_table : step) =
                 f.map.table != nullptr ? steps * f.map.rows * f.map.cols : f.map.loop_stride[i];
           });
      map_.map.loop_extent[i] = extent;
      steps *= loop_extent[i];
    }
    map_.map.loop_rank = largest.loops;
    list(operand_loop::batch, largest.count / map_.lanes, &map_.batch_stride, -1,
         [&](const factor_of& f, index_t& step, index_t&) {
           step = f.batch_stride * (f.lanes > 1 || !has_lanes ? 1 : map_.lanes);
         });
    if (of_.is_group()) loops_[count_ - 1].is_scattered = true, loops_[count_ - 1].each = {largest.count, {}};
  }

  // Numbers lie in the order of memory; complex ones with the parts of rows side by side.
  void assign_places() {
    if (form_ == image_form::number)
      for (int i = 1; i < count_; ++i)
        for (int j = i; j > 0 && loops_[j].distance() < loops_[j - 1].distance(); --j)
          std::swap(loops_[j], loops_[j - 1]);
    size_ = 1;
    for (int i = 0; i < count_; ++i) {
      operand_loop& next = loops_[i];
      if (next.of == operand_loop::row && form_ != image_form::number) part_ = size_, size_ *= 2;
      if (next.of == operand_loop::column && form_ == image_form::matrix) column_ = size_, size_ *= 2;
      const bool is_kept = next.of < operand_loop::step || next.moves();
      if (!is_kept) next.each.extent = 1;
      next.each.step[to_] = is_kept ? size_ : 0;
      if (next.place != nullptr) *next.place = next.each.step[to_];
      size_ *= next.each.extent;
    }
    // Of the real matrix.
    if (form_ != image_form::number) map_.map.row = part_;
    if (form_ == image_form::matrix) map_.map.col = column_;
  }

  // The loops over a block, which may be smaller than the largest one.
  entry_nest<arrays> nest_of(const problem_block& block) const {
    entry_nest<arrays> nest;
    for (int i = 0; i < count_; ++i) {
      loop each = loops_[i].each;
      if (loops_[i].moves() && loops_[i].of == operand_loop::batch)
        each.extent = loops_[i].is_scattered ? 1 : block.count / map_.lanes;
      if (loops_[i].moves() && loops_[i].digit >= 0 && loops_[i].digit + 1 == block.loops) each.extent = block.piece;
      nest.add(each);
    }
    return nest;
  }
  // f(position, image, at, inner, outer) for all of a block; member by member of a group.
  template <class F>
  void each_nest(const problem_block& block, const F& f) const {
    const entry_nest<arrays> nest = nest_of(block);
    const index_t apart = of_.is_group() ? block.count : 1;
    for (index_t e = 0; e < apart; ++e) {
      const position from = position_of(block, e);
      T* const image = map_.data + e * map_.batch_stride;
      nest.each(
          [&](const index_t* at, const loop& inner, const loop& outer) { f(from, image + at[to_], at, inner, outer); });
    }
  }
  position position_of(const problem_block& block, index_t behind = 0) const {
    position at;
    for (int f = 0; f < of_.count; ++f) {
      const factor<Entry>& from = of_.factors[f];
      at.data[f] = of_.start(f, block.entry + behind);
      if (from.map.table != nullptr)
        at.table[f] = from.map.table + block.step * from.map.rows * from.map.cols;
      else if (block.step > 0)
        at.data[f] += from.map.loop(block.step);
    }
    for (int i = 0; i < count_; ++i) {
      if (!loops_[i].moves()) continue;
      if (loops_[i].of == operand_loop::batch) at.count = block.count;
      if (loops_[i].is_scattered) at.entry = block.entry;
      if (loops_[i].digit >= 0 && loops_[i].digit + 1 == block.loops) at.piece = block.piece;
    }
    return at;
  }

  index_t offset(const position& from, int f, const index_t* at, index_t i, index_t j, const loop& inner,
                 const loop& outer) const {
    const index_t data = at[f] + i * inner.step[f] + j * outer.step[f];
    if (from.table[f] == nullptr && split_[f] == nullptr) return data;
    const int t = table_ + f;
    const index_t listed = at[t] + i * inner.step[t] + j * outer.step[t];
    return data + (split_[f] != nullptr ? split_[f]->offset(listed) : from.table[f][listed]);
  }
  number entry(const position& from, int f, const index_t* at, index_t i, index_t j, const loop& inner,
               const loop& outer) const {
    const value& read = from.data[f][offset(from, f, at, i, j, inner, outer)];
    if constexpr (is_complex<value>)
      return of_.conjugated[f] ? conj(read) : read;
    else
      return number(read);
  }
  void write(T* to, const number& read, const expansion<T>& by) const {
    if constexpr (is_complex<value>) {
      if (form_ == image_form::rows) {
        to[0] = read.re, to[part_] = read.im;
        return;
      }
      const complex<T> first = by.first(read), second = by.second(first);
      to[0] = first.re, to[part_] = first.im;
      to[column_] = second.re, to[column_ + part_] = second.im;
    } else {
      *to = read;
    }
  }

  // Runs of adjacent entries by the instruction set's functions; false where there are none.
  bool load_runs(const Entry* from, T* to, const loop& inner, const loop& outer, const entry_functions& functions,
                 expansion<T> by) const {
    const entry_runs runs{inner.extent, outer.extent, outer.step[0], outer.step[to_]};
    if constexpr (is_complex<value>) {
      if (form_ != image_form::matrix || part_ != 1 || inner.step[to_] != 2 || column_ != 2 * inner.extent)
        return false;
      by.conjugated = of_.conjugated[0];
      functions.expand<T>()(reinterpret_cast<const T*>(from), to, {runs.length, runs.count, 2 * runs.from, runs.to},
                            by);
    } else if constexpr (same_type<value, T>) {
      return false;  // the output of a group, which is copied
    } else {
      if (inner.step[to_] != 1) return false;
      functions.convert<value, T>()(from, to, runs);
    }
    return true;
  }
  bool store_runs(const T* from, Entry* to, const loop& inner, const loop& outer,
                  const entry_functions& functions) const {
    if constexpr (is_complex<value> || same_type<value, T>) {
      return false;
    } else {
      if (inner.step[to_] != 1) return false;
      functions.convert<T, value>()(from, to, {inner.extent, outer.extent, outer.step[to_], outer.step[0]});
      return true;
    }
  }

  factors_of<Entry> of_;
  const split_index* split_[2] = {nullptr, nullptr};  // of the factors' rows or columns
  image_form form_;
  factor<T> map_;  // of the image
  operand_loop loops_[max_rank + 4];
  int count_ = 0;
  index_t size_ = 0, part_ = 1, column_ = 0;
  position held_;
};

}  // namespace tessera::detail
