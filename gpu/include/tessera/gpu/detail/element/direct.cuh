// SPDX-License-Identifier: BSD-3-Clause
// What one thread does to apply an operator with derivatives, another way: tables of values and of derivatives are
// applied to x itself. More products than from the values at the points, but half the barriers.
#pragma once

#include <tessera/gpu/detail/element/computed.cuh>
#include <tessera/gpu/detail/element/stored.cuh>

namespace tessera::device {

/// Data: as for collocated_program. For functions of one component. Beside the cube of values there is one for each
/// direction but the last, of what was differentiated in it; every sweep contracts all of them in one more direction,
/// in place. In 3-D, with B for values, G for derivatives, and one letter of a cube for each direction swept:
///
///     x -> B, G -> BB, GB, BG -> registers: GBB, BGB, BBG, D, and back the same way
///
/// In 1-D nothing leaves registers.
template <class Data>
class direct_program : public Data {
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
  using base::slopes_in;
  using base::slopes_of_test;
  using base::slopes_of_trial;
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

  static_assert(trials == 1 && tests == 1 && !Form::nodal, "not a case for direct derivatives");

 public:
  static constexpr int phases = 2 * last + 1, data_phase = last;
  static constexpr int shared_entries = dim > 1 ? dim* cube_entries : 0;
  using base::base;

  /// Phase `number` of a round.
  template <int number>
  constexpr void run(int round) {
    round_ = round;
    if constexpr (number == 0) prefetch();
    if constexpr (number < last) forward<number>();
    if constexpr (number == last) evaluate();
    if constexpr (number > last) backward<2 * last - number>();
  }

 private:
  constexpr T* values(const line_place& p, int along) const { return in_cube(0, p, along); }
  /// What was differentiated in the direction of sweep s.
  constexpr T* slopes_of(int s, const line_place& p, int along) const { return in_cube(1 + s, p, along); }

  template <int s>
  constexpr void forward() {
    constexpr int along = axis(s), step = Shape::pitch(along);
    const line_place p = this->template sweep_place<s>(d);
    if (!p.active) return;
    T in[d], out[q];
    if constexpr (s == 0)
      read_x(p, along, 0, in);
    else
      read(values(p, along), step, in);
    if constexpr (slopes_in) {
      slopes_of_trial().apply(in, out);
      write(out, slopes_of(s, p, along), step);
    }
    interpolate().apply(in, out);
    write(out, values(p, along), step);
    if constexpr (slopes_in) {
#pragma unroll
      for (int r = 0; r < s; ++r) {
        T* const cube = slopes_of(r, p, along);
        read(cube, step, in);
        interpolate().apply(in, out);
        write(out, cube, step);
      }
    }
  }

  constexpr void evaluate() {
    constexpr int along = axis(last), step = Shape::pitch(along);
    const line_place p = point_place(along);
    if (!p.active) return;
    T value[q], slope[dim][q];  // by sweep
    {
      T in[d];
      if constexpr (last == 0)
        read_x(p, along, 0, in);
      else
        read(values(p, along), step, in);
      if constexpr (values_in) interpolate().apply(in, value);
      if constexpr (slopes_in) {
        slopes_of_trial().apply(in, slope[last]);
#pragma unroll
        for (int r = 0; r < last; ++r) {
          read(slopes_of(r, p, along), step, in);
          interpolate().apply(in, slope[r]);
        }
      }
    }
    const auto from = own_data(p);
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T own[factors];
      read_own(from, k, own);
      at_point<T, 1, dim> u, v;
      if constexpr (values_in) u.value[0] = value[k];
      if constexpr (slopes_in) {
#pragma unroll
        for (int r = 0; r < dim; ++r) u.gradient[0][axis(r)] = slope[r][k];
      }
      function_(u, own, v);
      if constexpr (values_out) value[k] = v.value[0];
      if constexpr (slopes_out) {
#pragma unroll
        for (int r = 0; r < dim; ++r) slope[r][k] = v.gradient[0][axis(r)];
      }
    }
    T out[t];
    if constexpr (values_out) test().apply(value, out);
    if constexpr (slopes_out) {
      if constexpr (values_out) {
        T more[t];
        slopes_of_test().apply(slope[last], more);
        add(more, out);
      } else {
        slopes_of_test().apply(slope[last], out);
      }
    }
    if constexpr (last == 0)
      write_y(out, p, along, 0);
    else
      write(out, values(p, along), step);
    if constexpr (slopes_out) {
#pragma unroll
      for (int r = 0; r < last; ++r) {
        test().apply(slope[r], out);
        write(out, slopes_of(r, p, along), step);
      }
    }
  }

  template <int s>
  constexpr void backward() {
    constexpr int along = axis(s), step = Shape::pitch(along);
    const line_place p = this->template sweep_place<s>(t);
    if (!p.active) return;
    T in[q], out[t];
    read(values(p, along), step, in);
    test().apply(in, out);
    if constexpr (slopes_out) {
      T more[t];
      read(slopes_of(s, p, along), step, in);
      slopes_of_test().apply(in, more);
      add(more, out);
    }
    if constexpr (s == 0)
      write_y(out, p, along, 0);
    else
      write(out, values(p, along), step);
    if constexpr (slopes_out) {
#pragma unroll
      for (int r = 0; r < s; ++r) {
        T* const cube = slopes_of(r, p, along);
        read(cube, step, in);
        test().apply(in, out);
        write(out, cube, step);
      }
    }
  }

  static constexpr void add(const T (&more)[t], T (&to)[t]) {
#pragma unroll
    for (int i = 0; i < t; ++i) to[i] += more[i];
  }
};

}  // namespace tessera::device
