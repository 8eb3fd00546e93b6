// SPDX-License-Identifier: BSD-3-Clause
// A side that is the pointwise product of two tables, which all entries of a batch share, as one table: multiplied out
// once a call. The other indices are then dealt to rows, columns and loops anew, by where they are in memory.
#pragma once

#include <tessera/cpu/detail/expanded_table.hpp>
#include <tessera/cpu/detail/strips.hpp>

namespace tessera::simd::detail {

/// A problem with such a side, and the same one with a factor a side.
template <class Isa, class T>
class table_product {
 public:
  [[gnu::always_inline]] explicit table_product(const problem<T>& p)
      : of_(p),
        left_(p.left_factors == 2),
        factors_(left_ ? p.left : p.right),
        other_(left_ ? p.right[0] : p.left[0]) {}

  [[gnu::always_inline]] bool is_possible() const {
    if (of_.left_factors + of_.right_factors != 3 || of_.k < 1 || of_.k > k_chunk || of_.m < 1 || of_.n < 1)
      return false;
    for (int f = 0; f < 2; ++f)
      if (factors_[f].batch_stride != 0 || factors_[f].lanes != 1 || !factors_[f].map.is_strided()) return false;
    if (!is_forward(other_.map) || !is_forward(of_.out.map)) return false;
    index_t entries = of_.k * (left_ ? of_.m : of_.n);
    for (int i = 0; i < loop_rank(); ++i)
      if (factors_[0].map.loop_stride[i] != 0 || factors_[1].map.loop_stride[i] != 0)
        entries *= of_.out.map.loop_extent[i];
    return entries > 0 && entries <= packed_entries;
  }

  /// each(the problem with a factor a side, the same as a table_form).
  template <class Each>
  [[gnu::noinline, gnu::flatten]] void run(const Each& each) const {
    alignas(64) T table[packed_entries];
    table_form<T> form;
    list(form);
    const int row = row_of(form), column = column_of(form, row);
    multiply_out(form, row, column, table);
    form.terms = of_.k, form.other_term = left_ ? other_.map.row : other_.map.col;
    form.table = table, form.other = other_.data, form.out = of_.out.data;
    form.other_stride = other_.batch_stride, form.other_lanes = other_.lanes;
    form.out_stride = of_.out.batch_stride, form.out_lanes = of_.out.lanes, form.batch = of_.batch;
    form.s = {of_.alpha, of_.beta};
    each(problem_of(form, row, column), form);
  }

 private:
  // Whole vectors are read and written from an entry on, in the order of memory.
  [[gnu::always_inline]] bool is_forward(const run_time_map& map) const {
    bool forward = map.is_strided() && map.row >= 0 && map.col >= 0;
    for (int i = 0; i < loop_rank(); ++i) forward = forward && map.loop_stride[i] >= 0;
    return forward;
  }
  [[gnu::always_inline]] int loop_rank() const { return of_.loops == 1 ? 0 : of_.out.map.loop_rank; }

  // Until they are multiplied out, `table` says only which indices the factors have.
  [[gnu::always_inline]] void list(table_form<T>& to) const {
    const auto add = [&](const free_index& next) __attribute__((always_inline)) {
      if (next.extent == 1) return;
      int at = to.count++;
      for (; at > 0 && to.all[at - 1].out > next.out; --at) to.all[at] = to.all[at - 1];
      to.all[at] = next;
    };
    const run_time_map &a = factors_[0].map, &b = factors_[1].map, &o = other_.map, &out = of_.out.map;
    if (left_) {
      add({of_.m, 1, 0, out.row, a.row, b.row});
      add({of_.n, 0, o.col, out.col, 0, 0});
    } else {
      add({of_.m, 0, o.row, out.row, 0, 0});
      add({of_.n, 1, 0, out.col, a.col, b.col});
    }
    for (int i = 0; i < loop_rank(); ++i)
      add({out.loop_extent[i], a.loop_stride[i] != 0 || b.loop_stride[i] != 0, o.loop_stride[i], out.loop_stride[i],
           a.loop_stride[i], b.loop_stride[i]});
  }
  [[gnu::always_inline]] static bool is_of_one(const free_index& i) { return (i.table != 0) != (i.other != 0); }
  // Rows are the index nearest in the result that one side alone has: of distance 1 but for what both have.
  [[gnu::always_inline]] static int row_of(const table_form<T>& form) {
    for (int i = 0; i < form.count; ++i)
      if (is_of_one(form.all[i])) return i;
    return -1;
  }
  // Columns are the longest index of the other side alone.
  [[gnu::always_inline]] static int column_of(const table_form<T>& form, int row) {
    int best = -1;
    for (int i = 0; row >= 0 && i < form.count; ++i)
      if (is_of_one(form.all[i]) && (form.all[i].table != 0) != (form.all[row].table != 0) &&
          (best < 0 || form.all[i].extent > form.all[best].extent))
        best = i;
    return best;
  }

  // The product of the factors: rows, terms, columns, loops.
  [[gnu::always_inline]] void multiply_out(table_form<T>& form, int row, int column, T* table) const {
    const run_time_map &a = factors_[0].map, &b = factors_[1].map;
    repeats entries;
    index_t next = 1;
    const auto add = [&](int i) __attribute__((always_inline)) {
      if (i < 0 || form.all[i].table == 0) return;
      form.all[i].table = next;
      entries.add({form.all[i].extent, form.all[i].first, form.all[i].second, next});
      next *= form.all[i].extent;
    };
    add(row);
    form.table_term = next;
    entries.add({of_.k, left_ ? a.col : a.row, left_ ? b.col : b.row, next});
    next *= of_.k;
    add(column);
    for (int i = 0; i < form.count; ++i)
      if (i != row && i != column) add(i);
    const T *first = factors_[0].data, *second = factors_[1].data;
    each_step(
        entries,
        0, [&](const repeat& at) __attribute__((always_inline)) { table[at.out] = first[at.a] * second[at.b]; });
  }

  [[gnu::always_inline]] problem<T> problem_of(const table_form<T>& form, int row, int column) const {
    problem<T> p;
    p.k = form.terms, p.batch = form.batch, p.alpha = form.s.alpha, p.beta = form.s.beta;
    p.out.data = form.out, p.out.batch_stride = form.out_stride, p.out.lanes = form.out_lanes;
    const bool to_left = row >= 0 && form.all[row].table != 0;
    factor<const T>& table = to_left ? p.left[0] : p.right[0];
    factor<const T>& other = to_left ? p.right[0] : p.left[0];
    table.data = form.table;
    other.data = form.other, other.batch_stride = form.other_stride, other.lanes = form.other_lanes;
    p.left[0].map.col = to_left ? form.table_term : form.other_term;
    p.right[0].map.row = to_left ? form.other_term : form.table_term;
    if (row >= 0) {
      const free_index& i = form.all[row];
      p.m = i.extent, p.out.map.row = i.out, p.left[0].map.row = to_left ? i.table : i.other;
    }
    if (column >= 0) {
      const free_index& i = form.all[column];
      p.n = i.extent, p.out.map.col = i.out, p.right[0].map.col = to_left ? i.other : i.table;
    }
    for (int i = 0; i < form.count; ++i)
      if (i != row && i != column) {
        add_loop(table.map, form.all[i].extent, form.all[i].table);
        add_loop(other.map, form.all[i].extent, form.all[i].other);
        add_loop(p.out.map, form.all[i].extent, form.all[i].out);
        p.loops *= form.all[i].extent;
      }
    return p;
  }
  [[gnu::always_inline]] static void add_loop(run_time_map& to, index_t extent, index_t stride) {
    to.loop_extent[to.loop_rank] = extent;
    to.loop_stride[to.loop_rank++] = stride;
  }

  const problem<T>& of_;
  bool left_;
  const factor<const T>* factors_;
  const factor<const T>& other_;
};

}  // namespace tessera::simd::detail
