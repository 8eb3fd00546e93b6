// SPDX-License-Identifier: BSD-3-Clause
// What one thread does to apply y (+)= B^T D(B x) to a block's elements, phase by phase, with a barrier after each: the
// thread has lines. An ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/gpu/detail/element/computed.cuh>
#include <tessera/gpu/detail/element/stored.cuh>

namespace tessera::device {

/// Data: a stored_data or a computed_data. A thread holds one line of an element in registers and contracts it. Between
/// two directions, lines are exchanged through a cube in shared memory: each is written back where it was read from,
/// which no other thread reads in that phase. Along the last direction a line stays in registers from the values at the
/// points to what the function gives there. Derivatives are taken at the points, of the polynomials through them
/// (G = C B): along the last direction from registers, along the others from the cube to cubes of their own.
///
///     x (d,d,d) -> cube (q,d,d) -> (q,q,d) -> registers (q), D, registers (q) -> cube (q,q,t) -> (q,t,t) -> y (t,t,t)
///
template <class Data>
class collocated_program : public Data {
  using base = Data;
  using T = typename base::value_type;
  using Form = typename base::form;
  using Shape = typename base::shape;
  using base::axis;
  using base::cube_entries;
  using base::d;
  using base::dim;
  using base::factors;
  using base::function_;
  using base::in_cube;
  using base::interpolate;
  using base::last;
  using base::own_data;
  using base::point_place;
  using base::prefetch;
  using base::q;
  using base::read;
  using base::read_own;
  using base::read_x;
  using base::round_;
  using base::slopes;
  using base::slopes_in;
  using base::slopes_out;
  using base::t;
  using base::test;
  using base::tests;
  using base::trials;
  using base::values_in;
  using base::values_out;
  using base::write;
  using base::write_y;
  using typename base::line_place;
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

 public:
  static constexpr int phases = 2 * sweeps + 1 + 2 * crosses_in + 2 * crosses_out;
  static constexpr int shared_entries = cubes * cube_entries;
  /// The first phase in which D is read.
  static constexpr int data_phase = sweeps + 2 * crosses_in;
  using base::base;

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
  // Cubes: values of all components; then their derivatives across, direction by direction; then along the last.
  constexpr T* values(int c, const line_place& p, int along) const { return in_cube(c, p, along); }
  constexpr T* across(int other, int c, const line_place& p, int along) const {
    return in_cube(components * (1 + other) + c, p, along);
  }
  constexpr T* along_last(int c, const line_place& p, int along) const {
    return in_cube((last_apart ? components * (1 + cross_cubes) : 0) + c, p, along);
  }

  // ---- To the points

  template <int s>
  constexpr void forward() {
    constexpr int along = axis(s);
    const line_place p = this->template sweep_place<s>(d);
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
      if constexpr (slopes_in && !last_in_cube) this->differentiate().apply(u, slope_[c]);
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
          this->differentiate_back().apply(in, out);
        else
          this->differentiate().apply(in, out);
        write(out, to, Shape::pitch(along));
      }
    }
  }

  // ---- At the points

  constexpr void evaluate() {
    constexpr int along = axis(last);
    const line_place p = point_place(along);
    if (!p.active) return;
    if constexpr (last_in_cube && slopes_in) {
#pragma unroll
      for (int c = 0; c < trials; ++c) {
        T in[q], out[q];
        read(values(c, p, along), Shape::pitch(along), in);
        this->differentiate().apply(in, out);
        write(out, along_last(c, p, along), Shape::pitch(along));
      }
    }
    const auto from = own_data(p);
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T own[factors];
      read_own(from, k, own);
      at_point<T, trials, dim> u;
      at_point<T, tests, dim> v;
#pragma unroll
      for (int c = 0; c < trials; ++c) take(u, c, p, k);
      function_(u, own, v);
#pragma unroll
      for (int c = 0; c < tests; ++c) put(v, c, p, k);
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
  constexpr void put(const at_point<T, tests, dim>& v, int c, const line_place& p, int k) {
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
          this->differentiate_back().apply(in, sum);
        } else {
          this->differentiate_back().apply(slope_[c], sum);
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
    const line_place p = this->template sweep_place<s>(t);
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

  // Of the line at the points: values, and derivatives along it.
  T u_[last_in_cube ? 1 : components][q];
  T slope_[last_in_cube || !slopes ? 1 : components][q];
};

}  // namespace tessera::device
