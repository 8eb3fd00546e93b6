// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel of values alone where a whole element fits into registers.
#pragma once

#include <tessera/cpu/detail/element/kernel_lines.hpp>

namespace tessera::simd {

/// Whether registers hold the lines of the last direction, and a line on its way to the points and back beside them.
template <class Isa, class Function, class Tables>
constexpr bool holds_values() {
  if constexpr (Function::dim == 3 && Function::trial.components == 1 && Function::test.components == 1 &&
                Tables::interpolates && is_static<decltype(Tables::points)>) {
    constexpr index_t q = decltype(Tables::points)::value;
    constexpr index_t d = decltype(Tables::trial)::value, t = decltype(Tables::test)::value;
    return q * q * (d > t ? d : t) + 2 * q + 6 <= Isa::registers;
  } else
    return false;
}

/// As value_kernel, to the last bit, but nothing on the way is stored (Zen 4, order 1, 3 points, in cache: 52 ns a
/// block, and 69 by way of memory, where the store of a whole vector takes two cycles).
template <class Isa, class T, class Function, class Tables>
class held_value_kernel : kernel_lines<Isa, T, Function, Tables> {
  using base = kernel_lines<Isa, T, Function, Tables>;

 public:
  using base::lanes;

  [[gnu::flatten]] static void run(const element_block<T>& block) { held_value_kernel(block).apply(); }

  /// For the base's pointers; run() uses none of it.
  static index_t scratch(index_t trial, index_t points, index_t test) {
    return base::scratch_of_lines(trial, points, test);
  }
  /// How often run() takes a step of prefetching.
  static index_t steps(index_t, index_t points, index_t) { return points; }

 private:
  using base::block_, base::tables_;
  using typename base::vector;
  static constexpr int d = int(Tables::trial), q = int(Tables::points), t = int(Tables::test);

  explicit held_value_kernel(const element_block<T>& block) : base(block) {}

  void apply() {
    constexpr int registers = base::spare(q * q * (d > t ? d : t) + q);
    const auto interpolate = for_many_lines<Isa, registers>(tables_.interpolate());
    const auto back = for_many_lines<Isa, rest_of<registers, decltype(interpolate)>()>(tables_.test_transposed());
    vector plane[q * (d > t ? d : t)], W[q * q * (d > t ? d : t)];
    unrolled<d>([&](auto z) __attribute__((always_inline)) {
      const T* x = block_.x + z * d * d * lanes;
      unrolled<d>([&](auto l) __attribute__((always_inline)) {
        line<Isa>(
            interpolate, [&](int i) { return base::load(x + (i + d * l) * lanes); },
            [&](int k, const vector& v) { plane[k + q * l] = v; });
      });
      unrolled<q>([&](auto l) __attribute__((always_inline)) {
        line<Isa>(
            interpolate, [&](int i) { return plane[l + q * i]; },
            [&](int k, const vector& v) { W[l + q * (k + q * z)] = v; });
      });
    });
    unrolled<q * q>([&](auto l) __attribute__((always_inline)) { points_of_line(interpolate, back, l, W); });
    unrolled<t>([&](auto z) __attribute__((always_inline)) {
      T* y = block_.y + z * t * t * lanes;
      unrolled<q>([&](auto l) __attribute__((always_inline)) {
        line<Isa>(
            back, [&](int k) { return W[l + q * (k + q * z)]; }, [&](int i, const vector& v) { plane[l + q * i] = v; });
      });
      unrolled<t>([&](auto l) __attribute__((always_inline)) {
        line<Isa>(
            back, [&](int k) { return plane[k + q * l]; },
            [&](int i, const vector& v) { base::store(y + (i + t * l) * lanes, v); });
      });
    });
    base::finish();
  }

  template <class Interpolate, class Back, class Lines>
  [[gnu::always_inline]] void points_of_line(const Interpolate& interpolate, const Back& back, int l, Lines& W) {
    if (l % q == 0) base::prefetch_.step();
    vector values[q];
    line<Isa>(
        interpolate, [&](int i) { return W[l + q * q * i]; }, [&](int k, const vector& v) { values[k] = v; });
    each(tables_.points, [&](int k) {
      at_point<vector, 1, 3> u, v;
      u.value[0] = values[k];
      base::call(u, l + q * q * k, v);
      values[k] = v.value[0];
    });
    line<Isa>(
        back, [&](int k) { return values[k]; }, [&](int i, const vector& v) { W[l + q * q * i] = v; });
  }
};

}  // namespace tessera::simd
