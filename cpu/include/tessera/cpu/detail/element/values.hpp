// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel of functions of values alone: the mass, and whatever else takes and gives no derivatives.
#pragma once

#include <tessera/cpu/detail/element/kernel_lines.hpp>

namespace tessera::simd {

/// In 3-D
///
///     x (d,d,d) -> x and y lines -> W (q,q,d); each z line to the points, through the function and back in registers;
///     B^T along y and x -> y (t,t,t)
///
/// In 2-D an element is one plane, in 1-D one line. Where nodes are points, x and y are what the function takes and
/// gives.
template <class Isa, class T, class Function, class Tables>
class value_kernel : kernel_lines<Isa, T, Function, Tables> {
  using base = kernel_lines<Isa, T, Function, Tables>;

 public:
  using base::lanes;

  [[gnu::flatten]] static void run(const element_block<T>& block) { value_kernel(block).apply(); }

  /// Vectors of scratch memory that run() needs.
  static index_t scratch(index_t d, index_t q, index_t t) { return base::scratch_of_lines(d, q, t); }
  /// How often run() takes a step of prefetching, about: once for each line that it contracts, or for a few.
  static index_t steps(index_t d, index_t q, index_t t) {
    if constexpr (few_steps) return base::groups(d, t) + q;
    return base::line_count(d, q, t) + (1 + tests) * power<dim - 1>(q);
  }

 private:
  using base::dim, base::few_steps, base::interpolates, base::outs, base::tests, base::trials;
  using base::each_line, base::line_in, base::line_out, base::lines, base::load, base::pitch, base::q, base::spare,
      base::step_at_line, base::store;
  using base::tables_;
  using typename base::vector;

  explicit value_kernel(const element_block<T>& block) : base(block) {}

  void apply() {
    for (int c = 0; c < trials; ++c) base::to_lines(c);
    constexpr int registers = spare(Tables::most_points, Tables::most_functions);
    const auto interpolate = for_many_lines<Isa, registers>(tables_.interpolate());
    const auto back = for_many_lines<Isa, rest_of<registers, decltype(interpolate)>()>(tables_.test_transposed());
    each_line([&](index_t l) { points_of_line(interpolate, back, l); });
    for (int c = 0; c < tests; ++c) base::from_lines(c);
    base::finish();
  }

  template <class Interpolate, class Back>
  void points_of_line(const Interpolate& interpolate, const Back& back, index_t l) {
    step_at_line();
    const index_t size = power<dim>(q()) * lanes, step = (interpolates ? pitch() : lines()) * lanes;
    vector in[trials][Tables::most_points], out[outs][Tables::most_points];
    for (int c = 0; c < trials; ++c) {
      const T* from = (interpolates ? line_in(c) : base::block_.x + c * size) + l * lanes;
      if constexpr (interpolates)
        line<Isa>(
            interpolate, [&](int i) { return load(from + i * step); }, [&](int k, const vector& v) { in[c][k] = v; });
      else
        each(tables_.points, [&](int k) { in[c][k] = load(from + k * step); });
    }
    each(tables_.points, [&](int k) {
      at_point<vector, trials, dim> u;
      at_point<vector, outs, dim> v;
      for (int c = 0; c < trials; ++c) u.value[c] = in[c][k];
      base::call(u, l + lines() * k, v);
      for (int c = 0; c < tests; ++c) out[c][k] = v.value[c];
    });
    for (int c = 0; c < tests; ++c) {
      step_at_line();
      T* to = (interpolates ? line_out(c) : base::block_.y + c * size) + l * lanes;
      if constexpr (interpolates)
        line<Isa>(
            back, [&](int k) { return out[c][k]; }, [&](int i, const vector& v) { store(to + i * step, v); });
      else
        each(tables_.points, [&](int k) { store(to + k * step, out[c][k]); });
    }
  }
};

}  // namespace tessera::simd
