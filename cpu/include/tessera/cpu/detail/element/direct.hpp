// SPDX-License-Identifier: BSD-3-Clause
// The element kernel of any function and any tables: values and derivatives straight from x, all points, and back.
#pragma once

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/cpu/detail/element/line.hpp>
#include <tessera/cpu/detail/element/points_memory.hpp>

namespace tessera::simd {

/// One lane, one element. A *slot* is the derivative in one direction or, number dim, the value. With B values and G
/// derivatives of a direction, and a slot's letters the directions done:
///
///     x -> G, B -> GB, BG, BB -> GBB, BGB, BBG, BBB
///
/// then the function once for all points, and the transposes back, where slots are added up as soon as they may be.
/// With nodes at the points B is left out.
template <class Isa, class T>
class direct_kernel {
 public:
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size);

  /// block.function is a direct_function.
  [[gnu::flatten]] static void run(const element_block<T>& block) { direct_kernel(block).apply(); }
  static index_t steps(index_t, index_t, index_t) { return 1; }

 private:
  using vector = typename Isa::template vector<T>;
  static constexpr int most_slots = 4;
  struct box {
    index_t extent[3] = {1, 1, 1};
    constexpr index_t entries() const { return extent[0] * extent[1] * extent[2]; }
  };
  struct slots {
    T* at[most_slots] = {};
  };

  explicit direct_kernel(const element_block<T>& block)
      : block_(block),
        function_(*static_cast<const direct_function<T>*>(block.function)),
        tables_(*block.tables),
        free_(block.scratch),
        at_(function_, function_.power(tables_.interpolate.m), free_) {
    const index_t d = tables_.interpolate.n, q = tables_.interpolate.m, t = tables_.test_transposed.m;
    const index_t most = d > t ? d : t;
    box largest;
    for (int a = 0; a < dim(); ++a) {
      of_trial_.extent[a] = d;
      of_points_.extent[a] = q;
      of_test_.extent[a] = t;
      largest.extent[a] = most > q ? most : q;
    }
    for (slots& stage : stages_)
      for (int s = 0; s <= dim(); ++s, free_ += largest.entries() * lanes) stage.at[s] = free_;
  }

  int dim() const { return function_.dim; }
  index_t points() const { return of_points_.entries(); }
  // f(B, G), whole or in halves.
  template <class F>
  void with_tables(const line_table<T>& B, const line_table<T>& G, const F& f) const {
    const auto whole = [](const line_table<T>& t) { return dense_table<T>{t.whole, t.m, t.n}; };
    if (function_.mirrored)
      f(mirrored_table<T, 1, index_t, index_t>{B.even, B.odd, B.m, B.n},
        mirrored_table<T, -1, index_t, index_t>{G.even, G.odd, G.m, G.n});
    else
      f(whole(B), whole(G));
  }
  static vector load(const T* p) { return vector::load_aligned(p); }

  void apply() {
    if (block_.prefetch != nullptr) block_.prefetch->step();
    with_tables(tables_.interpolate, tables_.slopes, [&](const auto& B, const auto& G) {
      for (int c = 0; c < function_.trial.components; ++c) function_.nodal ? from_nodes(c, G) : to_points(c, B, G);
    });
    at_.call(block_.D);
    with_tables(tables_.test_transposed, tables_.test_slopes_transposed, [&](const auto& B, const auto& G) {
      for (int c = 0; c < function_.test.components; ++c) function_.nodal ? to_nodes(c, G) : from_points(c, B, G);
    });
  }
  /// Along direction `along` of `from`, every line; its extent becomes table.m.
  template <class Table>
  static void sweep(const Table& table, const box& n, int along, const T* from, T* to, bool add) {
    index_t step = 1, above = 1;
    for (int a = 0; a < along; ++a) step *= n.extent[a];
    for (int a = along + 1; a < 3; ++a) above *= n.extent[a];
    for (index_t l = 0; l < step * above; ++l) {
      const index_t low = l % step, high = l / step;
      const T* const in = from + (low + step * table.n * high) * lanes;
      T* const out = to + (low + step * table.m * high) * lanes;
      line<Isa>(
          table, [&](int i) { return load(in + i * step * lanes); },
          [&](int k, const vector& v) {
            T* const p = out + k * step * lanes;
            (add ? load(p) + v : v).store_aligned(p);
          });
    }
  }

  // Where a slot of component c is at the points.
  T* at_points(const point_shape& s, T* value, T* gradient, int slot, int c) const {
    if (slot == dim()) return s.value ? value + c * points() * lanes : nullptr;
    return s.gradient ? gradient + (slot + dim() * c) * points() * lanes : nullptr;
  }

  void copy(const T* from, T* to) const {
    for (index_t k = 0; k < points(); ++k) load(from + k * lanes).store_aligned(to + k * lanes);
  }
  template <class Table>
  void from_nodes(int c, const Table& G) {
    const point_shape& u = function_.trial;
    const T* const x = block_.x + c * points() * lanes;
    for (int a = 0; a < dim() && u.gradient; ++a)
      sweep(G, of_points_, a, x, at_points(u, at_.value, at_.gradient, a, c), false);
    if (u.value) copy(x, at_points(u, at_.value, at_.gradient, dim(), c));
  }
  template <class Table>
  void to_nodes(int c, const Table& G) {
    const point_shape& v = function_.test;
    T* const y = block_.y + c * points() * lanes;
    if (v.value) copy(at_points(v, at_.value_out, at_.gradient_out, dim(), c), y);
    for (int a = 0; a < dim() && v.gradient; ++a)
      sweep(G, of_points_, a, at_points(v, at_.value_out, at_.gradient_out, a, c), y, v.value || a > 0);
  }

  template <class Values, class Slopes>
  void to_points(int c, const Values& B, const Slopes& G) {
    const point_shape& u = function_.trial;
    box now = of_trial_;
    const int value = dim();
    const T* from[most_slots] = {};
    from[value] = block_.x + c * now.entries() * lanes;
    for (int a = 0; a < dim(); ++a) {
      const bool last = a == dim() - 1;
      const auto place = [&](int slot) {
        return last ? at_points(u, at_.value, at_.gradient, slot, c) : stages_[a % 2].at[slot];
      };
      for (int r = 0; r < a && u.gradient; ++r) sweep(B, now, a, from[r], place(r), false), from[r] = place(r);
      if (u.gradient) sweep(G, now, a, from[value], place(a), false), from[a] = place(a);
      if (!last || u.value) sweep(B, now, a, from[value], place(value), false), from[value] = place(value);
      now.extent[a] = B.m;
    }
  }

  template <class Values, class Slopes>
  void from_points(int c, const Values& B, const Slopes& G) {
    const point_shape& v = function_.test;
    box now = of_points_;
    const int value = dim();
    const T* from[most_slots] = {};
    for (int s = 0; s <= dim(); ++s) from[s] = at_points(v, at_.value_out, at_.gradient_out, s, c);
    for (int a = dim() - 1; a >= 0; --a) {
      const auto place = [&](int slot) {
        return a == 0 ? block_.y + c * of_test_.entries() * lanes : stages_[a % 2].at[slot];
      };
      const bool values = from[value] != nullptr;
      if (values) sweep(B, now, a, from[value], place(value), false);
      if (v.gradient) sweep(G, now, a, from[a], place(value), values);
      from[value] = place(value);
      for (int r = 0; r < a && v.gradient; ++r) sweep(B, now, a, from[r], place(r), false), from[r] = place(r);
      now.extent[a] = B.m;
    }
  }

  const element_block<T>& block_;
  const direct_function<T>& function_;
  const evaluation_tables<T>& tables_;
  box of_trial_, of_points_, of_test_;
  slots stages_[2];
  T* free_;
  const points_memory<Isa, T> at_;
};

}  // namespace tessera::simd
