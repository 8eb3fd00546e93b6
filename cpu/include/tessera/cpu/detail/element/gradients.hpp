// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel of functions that take or give derivatives.
#pragma once

#include <tessera/cpu/detail/element/kernel_lines.hpp>

namespace tessera::simd {

/// For tables that factor as G = C B, C the derivative of the polynomial through the q >= d points: values go to the
/// points first, and are differentiated there. With P = (q,q) planes of points, in 3-D:
///
///     x (d,d,d) -> x and y lines -> W (q,q,d) -> z lines -> V (q,q,q), and its z derivative Z (q,q,q)
///     plane by plane: y derivatives X (q,q); along each x line: its derivative, the function at the points, C^T back
///     then C^T along y and z, B^T along z, y and x -> y (t,t,t)
///
/// so that D is read in order. In 2-D an element is one plane, in 1-D one line.
template <class Isa, class T, class Function, class Tables>
class gradient_kernel : kernel_lines<Isa, T, Function, Tables> {
  using base = kernel_lines<Isa, T, Function, Tables>;

 public:
  using base::lanes;

  [[gnu::flatten]] static void run(const element_block<T>& block) { gradient_kernel(block).apply(); }

  /// Vectors of scratch memory that run() needs.
  static index_t scratch(index_t d, index_t q, index_t t) {
    const index_t of_points = pitch_of(q) * q + (components == 1 ? 0 : q * q);
    return (interpolates ? base::scratch_of_lines(d, q, t) : q * q) + components * of_points;
  }
  /// About how many prefetch steps run() makes: one for each line that it contracts, or one for a few lines.
  static index_t steps(index_t d, index_t q, index_t t) {
    if constexpr (few_steps) return base::groups(d, t) + q * (3 + q);
    return base::line_count(d, q, t) + (3 * (trials + tests) + q) * power<dim - 1>(q);
  }

 private:
  using base::block_, base::tables_;
  using base::components, base::dim, base::few_steps, base::interpolates, base::outs, base::stays, base::tests,
      base::trials;
  using base::each_line, base::line_in, base::line_out, base::lines, base::lines_of, base::load, base::pitch,
      base::pitch_of, base::q, base::spare, base::step_at_group, base::step_at_line, base::store;
  using typename base::vector;

  static constexpr bool slopes_in = Function::trial.gradient, slopes_out = Function::test.gradient;
  static constexpr bool values_out = Function::test.value;
  static_assert(slopes_in || slopes_out);
  // Registers for entries of tables where a line goes through two tables; the second one gets its share first.
  static constexpr int spare_of_two = spare(Tables::most_points, Tables::most_points - 2);

  explicit gradient_kernel(const element_block<T>& block) : base(block) {
    V_ = base::W_;
    Z_ = V_ + (interpolates ? components * base::line_entries() : 0);
    X_ = components == 1 ? base::plane_ : Z_ + components * value_entries();
  }

  void apply() {
    for (int c = 0; c < trials; ++c) base::to_lines(c);
    if constexpr (interpolates || dim == 3) to_points();
    points_of_planes();
    if constexpr (stays) return;
    if constexpr (interpolates || dim == 3) from_points();
    for (int c = 0; c < tests; ++c) base::from_lines(c);
    base::finish();
  }

  // ---- At the points. If collocated, the values at the points are x, and the results are y. Otherwise V overwrites W,
  // one line along z at a time: the less memory a block uses, the more of it stays in L1.
  index_t node_pitch() const { return interpolates ? pitch() : lines(); }
  index_t node_entries() const { return interpolates ? base::line_entries() : lines() * q() * lanes; }
  index_t value_entries() const { return pitch() * q() * lanes; }
  const T* nodes_in(int c) const { return (interpolates ? V_ : block_.x) + c * node_entries(); }
  T* nodes_out(int c) const { return (interpolates ? V_ : block_.y) + c * node_entries(); }
  T* slopes_of(int c) const { return Z_ + c * value_entries(); }

  void to_points() {
    const auto differentiate = for_many_lines<Isa, spare_of_two>(tables_.differentiate());
    const auto interpolate =
        for_many_lines<Isa, rest_of<spare_of_two, decltype(differentiate)>()>(tables_.interpolate());
    for (int c = 0; c < trials; ++c) each_line([&](index_t l) { line_to_points(interpolate, differentiate, c, l); });
  }
  template <class Interpolate, class Differentiate>
  void line_to_points(const Interpolate& interpolate, const Differentiate& differentiate, int c, index_t l) {
    step_at_line();
    const index_t step = pitch() * lanes, node_step = node_pitch() * lanes;
    vector in[Tables::most_points];
    if constexpr (interpolates) {
      const T* from = line_in(c) + l * lanes;
      T* V = nodes_out(c) + l * lanes;
      line<Isa>(
          interpolate, [&](int i) { return load(from + i * step); }, [&](int k, const vector& v) { in[k] = v; });
      each(tables_.points, [&](int k) { store(V + k * step, in[k]); });
    }
    if constexpr (dim == 3 && slopes_in) {
      T* Z = slopes_of(c) + l * lanes;
      const T* V = nodes_in(c) + l * lanes;
      line<Isa>(
          differentiate,
          [&](int i) {
            if constexpr (interpolates)
              return in[i];
            else
              return load(V + i * node_step);
          },
          [&](int k, const vector& v) { store(Z + k * step, v); });
    }
  }

  void points_of_planes() {
    const auto differentiate = for_many_lines<Isa, spare(Tables::most_points)>(tables_.differentiate());
    const auto back = for_many_lines<Isa, spare(Tables::most_points)>(tables_.differentiate_transposed());
    for (index_t plane = 0; plane < (dim == 3 ? q() : 1); ++plane) points_of_plane(differentiate, back, plane);
  }
  template <class Differentiate, class Back>
  void points_of_plane(const Differentiate& differentiate, const Back& back, index_t plane) {
    step_at_group();
    const index_t size = q() * q();
    if constexpr (dim >= 2 && slopes_in)
      for (int c = 0; c < trials; ++c)
        lines_of(differentiate, q(), nodes_in(c) + plane * node_pitch() * lanes, q(), 1, X_ + c * size * lanes, q(), 1);
    for (index_t i = 0; i < (dim == 1 ? 1 : q()); ++i) points_of_row(differentiate, back, plane, i);
    if constexpr (dim >= 2 && slopes_out)
      for (int c = 0; c < tests; ++c)
        for (index_t i = 0; i < q(); ++i) {
          step_at_line();
          const T* X = X_ + (c * size + i) * lanes;
          T* V = nodes_out(c) + (plane * node_pitch() + i) * lanes;
          const index_t step = q() * lanes;
          line<Isa>(
              back, [&](int k) { return load(X + k * step); },
              [&](int k, const vector& v) { store(V + k * step, load(V + k * step) + v); });
        }
  }

  template <class Differentiate, class Back>
  void points_of_row(const Differentiate& differentiate, const Back& back, index_t plane, index_t row) {
    step_at_group();
    const index_t size = q() * q(), first = row * q();
    const index_t node = plane * node_pitch() + first, slope_at = plane * pitch() + first;
    vector slope[trials][Tables::most_points];
    vector value_out[outs][Tables::most_points], slope_out[outs][Tables::most_points];
    for (int c = 0; c < trials; ++c) {
      step_at_line();
      if constexpr (slopes_in) {
        const T* V = nodes_in(c) + node * lanes;
        line<Isa>(
            differentiate, [&](int j) { return load(V + j * lanes); },
            [&](int j, const vector& v) { slope[c][j] = v; });
      }
    }
    each(tables_.points, [&](int j) {
      if constexpr (!stays) step_at_line();
      const index_t in_plane = first + j;
      at_point<vector, trials, dim> u;
      at_point<vector, outs, dim> v;
      for (int c = 0; c < trials; ++c) {
        if constexpr (Function::trial.value) u.value[c] = load(nodes_in(c) + (node + j) * lanes);
        if constexpr (slopes_in) {
          u.gradient[c][0] = slope[c][j];
          if constexpr (dim >= 2) u.gradient[c][1] = load_once<Isa>(X_ + (c * size + in_plane) * lanes);
          if constexpr (dim == 3) u.gradient[c][2] = load_once<Isa>(slopes_of(c) + (slope_at + j) * lanes);
        }
      }
      base::call(u, plane * size + in_plane, v);
      for (int c = 0; c < tests; ++c) {
        if constexpr (values_out) value_out[c][j] = v.value[c];
        if constexpr (slopes_out) {
          slope_out[c][j] = v.gradient[c][0];
          if constexpr (dim >= 2) store(X_ + (c * size + in_plane) * lanes, v.gradient[c][1]);
          if constexpr (dim == 3) store(slopes_of(c) + (slope_at + j) * lanes, v.gradient[c][2]);
        }
      }
    });
    for (int c = 0; c < tests; ++c) {
      step_at_line();
      T* V = nodes_out(c) + node * lanes;
      if constexpr (slopes_out)
        line<Isa>(
            back, [&](int j) { return slope_out[c][j]; },
            [&](int j, const vector& v) {
              if constexpr (values_out)
                store(V + j * lanes, value_out[c][j] + v);
              else
                store(V + j * lanes, v);
            });
      else
        each(tables_.points, [&](int j) { store(V + j * lanes, value_out[c][j]); });
    }
  }

  void from_points() {
    const auto differentiate = for_many_lines<Isa, spare_of_two>(tables_.differentiate_transposed());
    const auto back = for_many_lines<Isa, rest_of<spare_of_two, decltype(differentiate)>()>(tables_.test_transposed());
    for (int c = 0; c < tests; ++c) each_line([&](index_t l) { line_from_points(differentiate, back, c, l); });
  }
  template <class Differentiate, class Back>
  void line_from_points(const Differentiate& differentiate, const Back& back, int c, index_t l) {
    step_at_line();
    const index_t step = pitch() * lanes, node_step = node_pitch() * lanes;
    T* V = nodes_out(c) + l * lanes;
    vector out[Tables::most_points];
    if constexpr (dim == 3 && slopes_out) {
      const T* Z = slopes_of(c) + l * lanes;
      line<Isa>(
          differentiate, [&](int k) { return load(Z + k * step); },
          [&](int k, const vector& v) {
            const vector sum = load(V + k * node_step) + v;
            if constexpr (interpolates)
              out[k] = sum;
            else
              store(V + k * node_step, sum);
          });
    } else if constexpr (interpolates) {
      each(tables_.points, [&](int k) { out[k] = load(V + k * node_step); });
    }
    if constexpr (interpolates) {
      T* to = line_out(c) + l * lanes;
      line<Isa>(
          back, [&](int k) { return out[k]; }, [&](int i, const vector& v) { store(to + i * step, v); });
    }
  }

  T *V_, *Z_, *X_;
};

}  // namespace tessera::simd
