// SPDX-License-Identifier: BSD-3-Clause
// The fused element kernel y = B^T D(B x) of as many elements as a vector has lanes: one lane, one element.
#pragma once

#include <tessera/cpu/element/block.hpp>
#include <tessera/cpu/element/lane_memory.hpp>
#include <tessera/cpu/element/register_room.hpp>
#include <tessera/cpu/element/tables.hpp>
#include <tessera/element/at_point.hpp>

namespace tessera::simd {

/// For tables that factor as G = C B, C the derivative of the polynomial through the q >= d points: values go to the
/// points first, and are differentiated there. With P = (q,q) planes of points, in 3-D:
///
///     x (d,d,d) -> x and y lines -> W (q,q,d) -> z lines -> V (q,q,q), and its z derivative Z (q,q,q)
///     plane by plane: y derivatives X (q,q); along each x line: its derivative, the function at the points, C^T back
///     then C^T along y and z, B^T along z, y and x -> y (t,t,t)
///
/// so that D is read in order. Without derivatives a z line goes to the points, through the function and back in
/// registers. In 2-D an element is one plane, in 1-D one line.
template <class Isa, class T, class Function, class Tables>
class element_kernel {
  static constexpr int dim = Function::dim;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr int components = trials > tests ? trials : tests;
  static constexpr bool slopes_in = Function::trial.gradient, slopes_out = Function::test.gradient;
  static constexpr bool values_out = Function::test.value, slopes = slopes_in || slopes_out;
  static constexpr bool interpolates = Tables::interpolates;
  /// The function writes numbers of its own at each point, and nothing goes back.
  static constexpr bool stays = tests == 0;
  static constexpr int outs = stays ? 1 : tests;

 public:
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size);

  [[gnu::flatten]] static void run(const element_block<T>& block) { element_kernel(block).apply(); }

  /// Vectors of scratch memory that run() needs.
  static index_t scratch(index_t d, index_t q, index_t t) {
    const index_t n = most(most(d, t), q);
    return n * n + components * (pitch_of(q) * n + (slopes ? 2 * pitch_of(q) * q + q * q : 0));
  }
  /// How often run() takes a step ahead, about: once for each line that it contracts, or for a few.
  static index_t steps(index_t d, index_t q, index_t t) {
    if constexpr (few_steps) return (interpolates ? d + t : 0) + (slopes ? q * (3 + q) : q);
    const index_t lines = (slopes ? 3 * (trials + tests) + 1 : 1 + tests) * power<dim - 1>(q);
    if constexpr (!interpolates || dim == 1) return lines;
    if constexpr (dim == 2) return lines + trials * d + tests * t;
    return lines + trials * d * (d + q) + tests * t * (t + q);
  }

 private:
  using vector = typename Isa::template vector<T>;

  explicit element_kernel(const element_block<T>& block)
      : block_(block), function_(*static_cast<const Function*>(block.function)), tables_{*block.tables} {
    if (block.ahead != nullptr) ahead_ = *block.ahead;
    T* free = block.scratch;
    const auto take = [&](index_t vectors) {
      T* const taken = free;
      free += vectors * lanes;
      return taken;
    };
    const index_t n = most(most(index_t(tables_.trial), index_t(tables_.test)), q());
    plane_ = take(n * n);
    W_ = take(components * pitch() * n);
    if constexpr (slopes) {
      V_ = take(components * pitch() * q());
      Z_ = take(components * pitch() * q());
      X_ = take(components * q() * q());
    }
  }

  index_t q() const { return index_t(tables_.points); }
  index_t lines() const { return power<dim - 1>(q()); }  // along the last direction
  // From one to the next along the last direction. At q = 8 the entries of a line would share a few sets of the first
  // cache, were planes not kept apart.
  static constexpr index_t pitch_of(index_t q) {
    constexpr index_t bytes = lanes * index_t(sizeof(T));
    return power<dim - 1>(q) + (dim == 3 && q * q * bytes % 2048 == 0 ? 1 : 0);
  }
  index_t pitch() const { return pitch_of(q()); }
  static vector load(const T* p) { return vector::load_aligned(p); }
  static void store(T* p, const vector& v) { v.store_aligned(p); }

  /// A block of so little memory is asked for between groups of lines only: steps at each line would cost its small
  /// loops more than waiting (p = 1, streaming, a fifth; in cache, p = 1..4, 5 to 20 %), and larger ones wait too long.
  static constexpr bool few_steps = [] {
    if constexpr (dim == 3 && is_static<decltype(Tables::points)>) {
      const index_t d = decltype(Tables::trial)::value, q = decltype(Tables::points)::value;
      return (Function::factors * q * q * q + trials * d * d * d) * lanes * index_t(sizeof(T)) <= (27 << 10);
    } else
      return false;
  }();
  void step_at_line() {
    if constexpr (!few_steps) ahead_.step();
  }
  void step_at_group() {
    if constexpr (few_steps) ahead_.step();
  }
  /// D of some points, in order, before it is used.
  void pull(index_t first, index_t points) const {
    if (block_.pull) read_in_order(block_.D + first * Function::factors * lanes, points * Function::factors * lanes);
  }

  /// f(l) for the lines along the last direction.
  template <class F>
  void each_line(const F& f) {
    const index_t group = dim == 1 ? 1 : lines() / q();
    for (index_t first = 0; first < lines(); first += group) {
      step_at_group();
      for (index_t l = first; l < first + group; ++l) f(l);
    }
  }

  static constexpr int spare(int sums, int kept = 0) { return spare_registers<Isa>(sums, kept); }
  // Where a line goes through two tables: the second has them first.
  static constexpr int spare_of_two = spare(Tables::most_points, Tables::most_points - 2);

  /// Along `count` lines of `from`, entries `step` apart, line l starting `skip` l further on; to `to` likewise.
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

  void apply() {
    for (int c = 0; c < trials; ++c) to_lines(c);
    if constexpr (slopes) {
      if constexpr (interpolates || dim == 3) to_points();
      points_of_planes();
      if constexpr (stays) return;
      if constexpr (interpolates || dim == 3) from_points();
    } else {
      values_of_lines();
    }
    for (int c = 0; c < tests; ++c) from_lines(c);
    if (block_.ahead != nullptr) *block_.ahead = ahead_;
  }

  // ---- All directions but the last. W: entry i of line l of the last direction at l + pitch i. In 1-D the line is x.
  const T* line_in(int c) const {
    if constexpr (dim == 1) return block_.x + c * index_t(tables_.trial) * lanes;
    return W_ + c * line_room();
  }
  T* line_out(int c) const {
    if constexpr (dim == 1) return block_.y + c * index_t(tables_.test) * lanes;
    return W_ + c * line_room();
  }
  index_t line_room() const { return pitch() * most(most(index_t(tables_.trial), index_t(tables_.test)), q()) * lanes; }

  void to_lines(int c) {
    if constexpr (!interpolates || dim == 1) return;
    const index_t d = index_t(tables_.trial);
    const T* x = block_.x + c * power<dim>(d) * lanes;
    T* W = W_ + c * line_room();
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
    const T* W = W_ + c * line_room();
    const auto back = for_many_lines<Isa, spare(Tables::most_functions)>(tables_.test_transposed());
    if constexpr (dim == 2) lines_of(back, t, W, 1, q(), y, 1, t);
    if constexpr (dim == 3)
      for (index_t z = 0; z < t; ++z, y += t * t * lanes, W += pitch() * lanes) {
        step_at_group();
        lines_of(back, q(), W, q(), 1, plane_, q(), 1);
        lines_of(back, t, plane_, 1, q(), y, 1, t);
      }
  }

  // ---- Values alone: a line of the last direction goes to the points and back.
  void values_of_lines() {
    constexpr int room = spare(Tables::most_points, Tables::most_functions);
    const auto interpolate = for_many_lines<Isa, room>(tables_.interpolate());
    using there = decltype(interpolate);
    const auto back = for_many_lines<Isa, rest_of<room, there>()>(tables_.test_transposed());
    each_line([&](index_t l) { values_of_line(interpolate, back, l); });
  }
  template <class Interpolate, class Back>
  void values_of_line(const Interpolate& interpolate, const Back& back, index_t l) {
    step_at_line();
    const index_t step = pitch() * lanes, point_step = lines() * lanes;
    vector in[trials][Tables::most_points], out[outs][Tables::most_points];
    for (int c = 0; c < trials; ++c) {
      const T* from = line_in(c) + l * lanes;
      if constexpr (interpolates)
        line<Isa>(
            interpolate, [&](int i) { return load(from + i * step); }, [&](int k, const vector& v) { in[c][k] = v; });
      else
        each(tables_.points, [&](int k) { in[c][k] = load(nodes_in(c) + l * lanes + k * point_step); });
    }
    each(tables_.points, [&](int k) {
      at_point<vector, trials, dim> u;
      at_point<vector, outs, dim> v;
      for (int c = 0; c < trials; ++c) u.value[c] = in[c][k];
      call(u, l + lines() * k, v);
      for (int c = 0; c < tests; ++c) out[c][k] = v.value[c];
    });
    for (int c = 0; c < tests; ++c) {
      step_at_line();
      T* to = line_out(c) + l * lanes;
      if constexpr (interpolates)
        line<Isa>(
            back, [&](int k) { return out[c][k]; }, [&](int i, const vector& v) { store(to + i * step, v); });
      else
        each(tables_.points, [&](int k) { store(nodes_out(c) + l * lanes + k * point_step, out[c][k]); });
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

  // ---- With derivatives. Where nothing is interpolated, x is what stands at the points, and y what goes back.
  index_t node_pitch() const { return interpolates ? pitch() : lines(); }
  const T* nodes_in(int c) const { return (interpolates ? V_ : block_.x) + c * node_pitch() * q() * lanes; }
  T* nodes_out(int c) const { return (interpolates ? V_ : block_.y) + c * node_pitch() * q() * lanes; }
  T* slopes_of(int c) const { return Z_ + c * pitch() * q() * lanes; }

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
      T* V = V_ + c * step * q() + l * lanes;
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
    if constexpr (!stays) pull(plane * size, dim == 1 ? q() : size);
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
      if (j == int(q()) / 2) step_at_line();
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
      call(u, plane * size + in_plane, v);
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

  const element_block<T>& block_;
  const Function& function_;
  const Tables tables_;
  read_ahead ahead_;
  T *plane_, *W_, *V_, *Z_, *X_;
};

}  // namespace tessera::simd
