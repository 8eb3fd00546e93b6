// SPDX-License-Identifier: BSD-3-Clause
// The share of one thread in y (+)= B^T D(B x) of a block's elements, phase by phase; a barrier stands between phases.
// It is an ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/element/at_point.hpp>
#include <tessera/gpu/element/arguments.hpp>
#include <tessera/gpu/element/form.hpp>
#include <tessera/gpu/element/line.hpp>

namespace tessera::device {

/// A thread holds one line of an element in registers and contracts it; between the directions lines are exchanged
/// through a cube in shared memory, in place, since a line has one owner. Along the last direction a line stays in
/// registers from the points' values to what goes back. Derivatives are taken at the points, of the polynomials through
/// them (G = C B): along the last direction from registers, along the others from the cube to cubes of their own.
///
///     x (d,d,d) -> cube (q,d,d) -> (q,q,d) -> registers (q), D, registers (q) -> cube (q,q,t) -> (q,t,t) -> y (t,t,t)
///
/// Stored: type of D in memory. Several: more than one application of the function to an element. Unit: entries of x
/// and y lie side by side.
template <class T, class Stored, class Function, class Form, class Shape, bool Several, bool Unit>
class element_share {
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, t = Form::t, elements = Shape::elements;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr bool values_in = Function::trial.value, values_out = Function::test.value;
  static constexpr bool slopes_in = Function::trial.gradient, slopes_out = Function::test.gradient;
  static constexpr bool slopes = slopes_in || slopes_out;
  static constexpr int points = power_of(q, dim), factors = Function::factors;

  /// Directions in the order in which lines go to the points; the last one is the tuning's.
  static constexpr int axis(int sweep) {
    if (sweep == dim - 1) return Shape::last;
    if (dim == 2) return 1 - Shape::last;
    return (Shape::last + 1 + sweep) % 3;
  }
  static constexpr int last = dim - 1;                        // sweep
  static constexpr int sweeps = Form::nodal ? 0 : dim - 1;    // before the last, to the points
  static constexpr bool crosses_in = slopes_in && dim > 1;    // lines of other directions are differentiated
  static constexpr bool crosses_out = slopes_out && dim > 1;  // and on the way back

  // Where components are coupled, derivatives along the last direction are in shared memory, too: registers hold those
  // of one line at a time.
  static constexpr bool last_in_cube = slopes && (trials > 1 || tests > 1);
  static constexpr int components = trials > tests ? trials : tests;
  static constexpr int cross_cubes = (crosses_in || crosses_out) ? dim - 1 : 0;
  static constexpr bool last_apart = last_in_cube && (values_in || values_out);
  static constexpr int cubes = components * ((dim > 1 || last_in_cube) + cross_cubes + last_apart);
  static constexpr int cube_entries = elements * Shape::pitch_element;

 public:
  static constexpr int threads = Shape::threads, blocks = Shape::blocks;
  static constexpr int phases = 2 * sweeps + 1 + 2 * crosses_in + 2 * crosses_out;
  static constexpr int shared_entries = cubes * cube_entries;
  static constexpr table_places places{d, q, t, Form::nodal, Form::own_test, Form::mirrored, slopes};
  static constexpr int table_entries = places.entries;
  using value_type = T;
  using arguments = element_arguments<T>;
  using tables = table_constants<T, places.entries>;
  using function = Function;

  static_assert(elements * power_of(Form::side, dim - 1) <= threads, "a line for each thread");

  constexpr element_share(const arguments& a, const tables& constants, const Function& f, T* shared, index_t block,
                          int thread)
      : a_(a), constants_(constants), function_(f), shared_(shared), first_(block * elements), thread_(thread) {}

  /// How often the phases are gone through.
  constexpr int rounds() const { return Several ? a_.repeats * a_.sides : 1; }

  /// Phase `number` of a round.
  template <int number>
  constexpr void run(int round) {
    constexpr int to_points = sweeps, cross_in = to_points + 1, at_points = to_points + 2 * crosses_in;
    constexpr int cross_out = at_points + 1, from_points = at_points + 2 * crosses_out;
    round_ = round;
    if constexpr (number == 0) prefetch();
    if constexpr (number < sweeps) forward<number>();
    if constexpr (number == to_points) reach_points();
    if constexpr (crosses_in && number == cross_in) cross<false>();
    if constexpr (number == at_points) evaluate();
    if constexpr (crosses_out && number == cross_out) cross<true>();
    if constexpr (number == from_points) leave_points();
    if constexpr (number > from_points) backward<sweeps + from_points - number>();
  }

 private:
  template <int sign, int m, int n, bool transposed>
  using table = line_table_of<Form::mirrored, T, m, n, sign, transposed>;

  constexpr table<1, q, d, false> interpolate() const { return {constants_.at}; }
  constexpr table<-1, q, q, false> differentiate() const { return {constants_.at + places.differentiate}; }
  constexpr table<-1, q, q, true> differentiate_back() const { return {constants_.at + places.differentiate}; }
  constexpr table<1, q, t, true> test() const { return {constants_.at + (Form::own_test ? places.test : 0)}; }

  /// A thread's line along direction `along` of a box: element and the other two indices.
  struct line_place {
    int element, low, high;
    bool active;
  };
  /// `n_low`, `n_high`: extents of the box in the other directions, the lower one numbered first.
  constexpr line_place place(int n_low, int n_high) const {
    const int lines = n_low * n_high, element = thread_ / lines, line = thread_ - element * lines;
    return {element, line % n_low, line / n_low, element < elements && first_ + element < a_.count};
  }
  // Of a direction, those of the other two, in order; extents that a dimension lacks are 1.
  static constexpr int lower(int along) { return along == 0 ? 1 : 0; }
  static constexpr int upper(int along) { return along == 2 ? 1 : 2; }

  /// Extent of direction `b` while sweep s reads its lines, `n` being what lines not yet swept have.
  static constexpr int extent(int b, int s, int n) {
    if (b >= dim) return 1;
    for (int i = 0; i < s; ++i)
      if (axis(i) == b) return q;
    return n;
  }
  template <int s>
  constexpr line_place sweep_place(int n) const {
    return place(extent(lower(axis(s)), s, n), extent(upper(axis(s)), s, n));
  }
  constexpr line_place point_place(int along) const {
    return place(lower(along) < dim ? q : 1, upper(along) < dim ? q : 1);
  }

  static constexpr int in_box(const line_place& p, int along, int s0, int s1, int s2) {
    return p.low * (lower(along) == 0 ? s0 : s1) + p.high * (upper(along) == 1 ? s1 : s2);
  }
  /// Where a line starts in a cube of this thread's.
  constexpr T* in_cube(int cube, const line_place& p, int along) const {
    return shared_ + cube * cube_entries + p.element * Shape::pitch_element +
           in_box(p, along, Shape::pitch(0), Shape::pitch(1), Shape::pitch(2));
  }
  // Cubes: values of all components; then their derivatives across, direction by direction; then along the last.
  constexpr T* values(int c, const line_place& p, int along) const { return in_cube(c, p, along); }
  constexpr T* across(int other, int c, const line_place& p, int along) const {
    return in_cube(components * (1 + other) + c, p, along);
  }
  constexpr T* along_last(int c, const line_place& p, int along) const {
    return in_cube((last_apart ? components * (1 + cross_cubes) : 0) + c, p, along);
  }

  constexpr index_t number_of(int element) const {
    return a_.list != nullptr ? a_.list[first_ + element] : a_.first + first_ + element;
  }
  constexpr int side() const { return Several ? round_ / a_.repeats : 0; }
  constexpr int repeat() const { return Several ? round_ % a_.repeats : 0; }
  constexpr entries_of<const T, Unit> x_of(int element, int c) const {
    return entries_at<Unit>(a_.x + side() * a_.x_side, a_.x_layout, number_of(element), repeat() * trials + c);
  }
  constexpr entries_of<T, Unit> y_of(int element, int c) const {
    return entries_at<Unit>(a_.y + side() * a_.y_side, a_.y_layout, number_of(element), repeat() * tests + c);
  }

  template <int n>
  static constexpr void read(const T* from, int step, T (&line)[n]) {
#pragma unroll
    for (int i = 0; i < n; ++i) line[i] = from[i * step];
  }
  template <int n>
  static constexpr void write(const T (&line)[n], T* to, int step) {
#pragma unroll
    for (int i = 0; i < n; ++i) to[i * step] = line[i];
  }
  /// Line of x's entries, n functions a direction.
  template <int n>
  constexpr void read_x(const line_place& p, int along, int c, T (&line)[n]) const {
    const auto from = x_of(p.element, c);
    const int start = in_box(p, along, 1, n, n * n), step = power_of(n, along);
#pragma unroll
    for (int i = 0; i < n; ++i) line[i] = from[start + i * step];
  }
  template <int n>
  constexpr void write_y(const T (&line)[n], const line_place& p, int along, int c) const {
    const auto to = y_of(p.element, c);
    const int start = in_box(p, along, 1, n, n * n), step = power_of(n, along);
    if (a_.add) {
#pragma unroll
      for (int i = 0; i < n; ++i) to[start + i * step] += line[i];
    } else {
#pragma unroll
      for (int i = 0; i < n; ++i) to[start + i * step] = line[i];
    }
  }

  // ---- To the points

  template <int s>
  constexpr void forward() {
    constexpr int along = axis(s);
    const line_place p = sweep_place<s>(d);
    if (!p.active) return;
#pragma unroll
    for (int c = 0; c < trials; ++c) {
      T in[d], out[q];
      if constexpr (s == 0)
        read_x(p, along, c, in);
      else
        read(values(c, p, along), Shape::pitch(along), in);
      interpolate().apply(in, out);
      write(out, values(c, p, along), Shape::pitch(along));
    }
  }

  /// The last sweep. What comes out stays in registers, and goes to the cube where other lines need it.
  constexpr void reach_points() {
    constexpr int along = axis(last);
    const line_place p = point_place(along);
    if (!p.active) return;
#pragma unroll
    for (int c = 0; c < trials; ++c) {
      T(&u)[q] = u_[last_in_cube ? 0 : c];
      if constexpr (Form::nodal) {
        read_x(p, along, c, u);
      } else {
        T in[d];
        if constexpr (dim == 1)
          read_x(p, along, c, in);
        else
          read(values(c, p, along), Shape::pitch(along), in);
        interpolate().apply(in, u);
      }
      if constexpr (crosses_in || last_in_cube) write(u, values(c, p, along), Shape::pitch(along));
      if constexpr (slopes_in && !last_in_cube) differentiate().apply(u, slope_[c]);
    }
  }

  /// Derivatives along the directions that are not the last, or their transposes in place.
  template <bool back>
  constexpr void cross() {
#pragma unroll
    for (int other = 0; other < dim - 1; ++other) {
      const int along = axis(other);
      const line_place p = point_place(along);
      if (!p.active) return;
#pragma unroll
      for (int c = 0; c < (back ? tests : trials); ++c) {
        T in[q], out[q];
        T* const to = across(other, c, p, along);
        read(back ? to : values(c, p, along), Shape::pitch(along), in);
        if constexpr (back)
          differentiate_back().apply(in, out);
        else
          differentiate().apply(in, out);
        write(out, to, Shape::pitch(along));
      }
    }
  }

  // ---- At the points

  static constexpr int ahead = Shape::prefetch < q ? Shape::prefetch : q;

  constexpr const Stored* own_data(const line_place& p) const {
    return static_cast<const Stored*>(a_.D) + number_of(p.element) * (index_t(points) * factors) +
           in_box(p, axis(last), 1, q, q * q);
  }
  /// D of the line's first points is asked for before anything else is done.
  constexpr void prefetch() {
    if constexpr (ahead > 0) {
      const line_place p = point_place(axis(last));
      if (!p.active) return;
      const Stored* const from = own_data(p);
#pragma unroll
      for (int k = 0; k < ahead; ++k)
#pragma unroll
        for (int f = 0; f < factors; ++f) ahead_[k][f] = from[k * power_of(q, axis(last)) + f * points];
    }
  }

  constexpr void evaluate() {
    constexpr int along = axis(last);
    const line_place p = point_place(along);
    if (!p.active) return;
    if constexpr (last_in_cube && slopes_in) {
#pragma unroll
      for (int c = 0; c < trials; ++c) {
        T in[q], out[q];
        read(values(c, p, along), Shape::pitch(along), in);
        differentiate().apply(in, out);
        write(out, along_last(c, p, along), Shape::pitch(along));
      }
    }
    const Stored* const from = own_data(p);
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T own[factors];
#pragma unroll
      for (int f = 0; f < factors; ++f)
        own[f] = k < ahead ? T(ahead_[k < ahead ? k : 0][f]) : T(from[k * power_of(q, along) + f * points]);
      at_point<T, trials, dim> u;
      at_point<T, tests, dim> v;
#pragma unroll
      for (int c = 0; c < trials; ++c) take(u, c, p, k);
      function_(u, own, v);
#pragma unroll
      for (int c = 0; c < tests; ++c) give(v, c, p, k);
    }
  }

  constexpr void take(at_point<T, trials, dim>& u, int c, const line_place& p, int k) const {
    constexpr int along = axis(last);
    const int here = k * Shape::pitch(along);
    if constexpr (values_in && (last_in_cube || crosses_in)) u.value[c] = values(c, p, along)[here];
    if constexpr (values_in && !last_in_cube && !crosses_in) u.value[c] = u_[c][k];
    if constexpr (slopes_in) {
#pragma unroll
      for (int other = 0; other < dim - 1; ++other) u.gradient[c][axis(other)] = across(other, c, p, along)[here];
      if constexpr (last_in_cube)
        u.gradient[c][along] = along_last(c, p, along)[here];
      else
        u.gradient[c][along] = slope_[c][k];
    }
  }
  constexpr void give(const at_point<T, tests, dim>& v, int c, const line_place& p, int k) {
    constexpr int along = axis(last);
    const int here = k * Shape::pitch(along);
    if constexpr (values_out) {
      if constexpr (last_in_cube)
        values(c, p, along)[here] = v.value[c];
      else
        u_[c][k] = v.value[c];
    }
    if constexpr (slopes_out) {
#pragma unroll
      for (int other = 0; other < dim - 1; ++other) across(other, c, p, along)[here] = v.gradient[c][axis(other)];
      if constexpr (last_in_cube)
        along_last(c, p, along)[here] = v.gradient[c][along];
      else
        slope_[c][k] = v.gradient[c][along];
    }
  }

  // ---- Back

  constexpr void leave_points() {
    constexpr int along = axis(last);
    const line_place p = point_place(along);
    if (!p.active) return;
#pragma unroll
    for (int c = 0; c < tests; ++c) {
      T sum[q];
      if constexpr (slopes_out) {
        if constexpr (last_in_cube) {
          T in[q];
          read(along_last(c, p, along), Shape::pitch(along), in);
          differentiate_back().apply(in, sum);
        } else {
          differentiate_back().apply(slope_[c], sum);
        }
#pragma unroll
        for (int other = 0; other < dim - 1; ++other)
#pragma unroll
          for (int k = 0; k < q; ++k) sum[k] += across(other, c, p, along)[k * Shape::pitch(along)];
      } else {
#pragma unroll
        for (int k = 0; k < q; ++k) sum[k] = T(0);  // adding to it costs nothing: the compiler sees through it
      }
      if constexpr (values_out) {
        if constexpr (last_in_cube) {
#pragma unroll
          for (int k = 0; k < q; ++k) sum[k] += values(c, p, along)[k * Shape::pitch(along)];
        } else {
#pragma unroll
          for (int k = 0; k < q; ++k) sum[k] += u_[c][k];
        }
      }
      if constexpr (Form::nodal) {
        write_y(sum, p, along, c);
      } else {
        T out[t];
        test().apply(sum, out);
        if constexpr (dim == 1)
          write_y(out, p, along, c);
        else
          write(out, values(c, p, along), Shape::pitch(along));
      }
    }
  }

  template <int s>
  constexpr void backward() {
    constexpr int along = axis(s);
    const line_place p = sweep_place<s>(t);
    if (!p.active) return;
#pragma unroll
    for (int c = 0; c < tests; ++c) {
      T in[q], out[t];
      read(values(c, p, along), Shape::pitch(along), in);
      test().apply(in, out);
      if constexpr (s == 0)
        write_y(out, p, along, c);
      else
        write(out, values(c, p, along), Shape::pitch(along));
    }
  }

  const arguments& a_;
  const tables& constants_;
  const Function& function_;
  T* shared_;
  index_t first_;
  int thread_, round_ = 0;
  // Of the line at the points: values, derivatives along it, the first numbers of D.
  T u_[last_in_cube ? 1 : components][q];
  T slope_[last_in_cube || !slopes ? 1 : components][q];
  Stored ahead_[ahead > 0 ? ahead : 1][factors];
};

}  // namespace tessera::device
