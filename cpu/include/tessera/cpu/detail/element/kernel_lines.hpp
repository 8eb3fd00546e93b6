// SPDX-License-Identifier: BSD-3-Clause
// What the fused element kernels share: a block, its tables, prefetching, the function at a point, and interpolation in
// all directions but the last.
#pragma once

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/cpu/detail/element/line.hpp>
#include <tessera/cpu/detail/element/tables.hpp>
#include <tessera/element/at_point.hpp>

namespace tessera::simd {

constexpr index_t most(index_t a, index_t b) { return a > b ? a : b; }
template <int exponent>
constexpr index_t power(index_t base) {
  if constexpr (exponent == 0)
    return 1;
  else
    return base * power<exponent - 1>(base);
}

/// An aligned load into a register. Without keep() the compiler loads it for each use.
template <class Isa, class T>
inline auto load_once(const T* p) {
  auto v = Isa::template vector<T>::load_aligned(p);
  keep<Isa>(v);
  return v;
}

/// f(j) for j < n, unrolled where n is known.
template <class N, class F>
inline void each(N n, const F& f) {
  if constexpr (is_static<N>)
    unrolled<int(N::value)>([&](auto j) { f(int(j)); });
  else
    for (int j = 0; j < int(n); ++j) f(j);
}

/// Registers that are free after `sums` accumulators of a line, `kept` values, and three temporaries: two entries of
/// the line and a product.
template <class Isa>
constexpr int spare_registers(int sums, int kept = 0) {
  return Isa::registers - sums - kept - 3;
}

/// The part of `registers` that entries of this table do not occupy.
template <int registers, class Table>
constexpr int rest_of() {
  if constexpr (requires { Table::kept; })
    return registers - Table::kept;
  else
    return 0;
}

template <class Isa, class T, class Function, class Tables>
class kernel_lines {
 public:
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size);

 protected:
  static constexpr int dim = Function::dim;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr int components = trials > tests ? trials : tests;
  static constexpr bool interpolates = Tables::interpolates;
  /// The function writes results of its own at each point, and no y is computed from them.
  static constexpr bool stays = tests == 0;
  static constexpr int outs = stays ? 1 : tests;

  using vector = typename Isa::template vector<T>;

  explicit kernel_lines(const element_block<T>& block)
      : block_(block), function_(*static_cast<const Function*>(block.function)), tables_{*block.tables} {
    if (block.prefetch != nullptr) prefetch_ = prefetcher::copy_of(*block.prefetch);
    const index_t n = most(functions(), q());
    plane_ = block.scratch;
    W_ = plane_ + n * n * lanes;
  }
  /// Vectors of scratch memory that these members use, from its start on.
  static index_t scratch_of_lines(index_t d, index_t q, index_t t) {
    const index_t n = most(most(d, t), q);
    return n * n + components * pitch_of(q) * n;
  }
  /// Lines that are contracted by to_lines and from_lines, and the groups of them that step_at_group counts.
  static index_t line_count(index_t d, index_t q, index_t t) {
    if constexpr (!interpolates || dim == 1) return 0;
    if constexpr (dim == 2) return trials * d + tests * t;
    return trials * d * (d + q) + tests * t * (t + q);
  }
  static constexpr index_t groups(index_t d, index_t t) { return interpolates ? d + t : 0; }
  void finish() const {
    if (block_.prefetch != nullptr) *block_.prefetch = prefetch_;
  }

  index_t q() const { return index_t(tables_.points); }
  index_t functions() const { return most(index_t(tables_.trial), index_t(tables_.test)); }
  index_t lines() const { return power<dim - 1>(q()); }  // along the last direction
  index_t pitch() const { return pitch_of(q()); }
  // Stride between planes of n by n entries. It has one entry of padding if the entries of a line along z would share a
  // few sets of L1, as at n = 8.
  static constexpr index_t pitch_of(index_t n) {
    constexpr index_t bytes = lanes * index_t(sizeof(T));
    return power<dim - 1>(n) + (dim == 3 && n * n * bytes % 2048 == 0 ? 1 : 0);
  }
  static vector load(const T* p) { return vector::load_aligned(p); }
  static void store(T* p, const vector& v) { v.store_aligned(p); }

  /// Small blocks are prefetched between groups of lines only: steps at each line would cost their short loops more
  /// than waiting for memory does (p = 1, from memory, a fifth; in cache, p = 1..4, 5 to 20 %). Larger blocks need a
  /// step at each line.
  static constexpr bool few_steps = [] {
    if constexpr (dim == 3 && is_static<decltype(Tables::points)>) {
      const index_t d = decltype(Tables::trial)::value, q = decltype(Tables::points)::value;
      return (Function::factors * q * q * q + trials * d * d * d) * lanes * index_t(sizeof(T)) <= (27 << 10);
    } else
      return false;
  }();
  void step_at_line() {
    if constexpr (!few_steps) prefetch_.step();
  }
  void step_at_group() {
    if constexpr (few_steps) prefetch_.step();
  }

  static constexpr int spare(int sums, int kept = 0) { return spare_registers<Isa>(sums, kept); }

  /// Applies the table to `count` lines: entry i of line l is at from[i step + l skip], in vectors, and
  /// result k at to[k to_step + l to_skip].
  template <class Table>
  void lines_of(const Table& table, index_t count, const T* from, index_t step, index_t skip, T* to, index_t to_step,
                index_t to_skip) {
    for (index_t l = 0; l < count; ++l, from += skip * lanes, to += to_skip * lanes) {
      step_at_line();
      line<Isa>(
          table, [&](int i) { return load(from + i * step * lanes); },
          [&](int k, const vector& v) { store(to + k * to_step * lanes, v); });
    }
  }

  template <class U, class V>
  void call(const U& u, index_t point, [[maybe_unused]] V& v) const {
    if constexpr (stays) {
      T* to = block_.y + point * Function::outputs * lanes;
      function_(u, [to](int i, const vector& value) { store(to + i * lanes, value); });
    } else {
      vector D[Function::factors];
      const T* from = block_.D + point * Function::factors * lanes;
      unrolled<Function::factors>([&](auto f) { D[f] = load_once<Isa>(from + f * lanes); });
      function_(u, D, v);
    }
  }

  // Entry i of line l along the last direction is at W[l + pitch i]. In 1-D the line is x itself.
  const T* line_in(int c) const {
    if constexpr (dim == 1) return block_.x + c * index_t(tables_.trial) * lanes;
    return W_ + c * line_entries();
  }
  T* line_out(int c) const {
    if constexpr (dim == 1) return block_.y + c * index_t(tables_.test) * lanes;
    return W_ + c * line_entries();
  }
  index_t line_entries() const { return pitch() * most(functions(), q()) * lanes; }

  void to_lines(int c) {
    if constexpr (!interpolates || dim == 1) return;
    const index_t d = index_t(tables_.trial);
    const T* x = block_.x + c * power<dim>(d) * lanes;
    T* W = W_ + c * line_entries();
    const auto interpolate = for_many_lines<Isa, spare(Tables::most_points)>(tables_.interpolate());
    if constexpr (dim == 2) lines_of(interpolate, d, x, 1, d, W, 1, q());
    if constexpr (dim == 3)
      for (index_t z = 0; z < d; ++z, x += d * d * lanes, W += pitch() * lanes) {
        step_at_group();
        lines_of(interpolate, d, x, 1, d, plane_, 1, q());
        lines_of(interpolate, q(), plane_, q(), 1, W, q(), 1);
      }
  }
  void from_lines(int c) {
    if constexpr (!interpolates || dim == 1) return;
    const index_t t = index_t(tables_.test);
    T* y = block_.y + c * power<dim>(t) * lanes;
    const T* W = W_ + c * line_entries();
    const auto back = for_many_lines<Isa, spare(Tables::most_functions)>(tables_.test_transposed());
    if constexpr (dim == 2) lines_of(back, t, W, 1, q(), y, 1, t);
    if constexpr (dim == 3)
      for (index_t z = 0; z < t; ++z, y += t * t * lanes, W += pitch() * lanes) {
        step_at_group();
        lines_of(back, q(), W, q(), 1, plane_, q(), 1);
        lines_of(back, t, plane_, 1, q(), y, 1, t);
      }
  }

  /// Calls f(l) for the lines along the last direction.
  template <class F>
  void each_line(const F& f) {
    const index_t group = dim == 1 ? 1 : lines() / q();
    for (index_t first = 0; first < lines(); first += group) {
      step_at_group();
      for (index_t l = first; l < first + group; ++l) f(l);
    }
  }

  const element_block<T>& block_;
  const Function& function_;
  const Tables tables_;
  prefetcher prefetch_;
  T *plane_, *W_;
};

}  // namespace tessera::simd
