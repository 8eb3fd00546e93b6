// SPDX-License-Identifier: BSD-3-Clause
// What one thread does where threads hold planes of an element: fewer exchanges and fewer addresses than with lines.
#pragma once

#include <tessera/gpu/detail/element/stored.cuh>

namespace tessera::device {

/// Data: a stored_data. For functions of one component in 3-D, in directions a (the tuning's last), b and c. A thread
/// first has the plane of one node along a, which it contracts in b and c. Then it has one point along b and all lines
/// along a there, which it takes one after the other to the points, through the function and back. Then it has a plane
/// again. Two barriers, two exchanges:
///
///     x (d,d,d) -> registers (d,q) -> cube (d,q,q) -> lines (q), D, lines (t) -> cube (t,q,q) -> registers (t,q) -> y
///
/// Derivatives are taken directly: beside the cube of values there is one of what was differentiated along b, and one
/// of that along c.
template <class Data>
class plane_program : public Data {
  using base = Data;
  using T = typename base::value_type;
  using Form = typename base::form;
  using Shape = typename base::shape;
  using Stored = typename base::source_type;
  using base::d;
  using base::factors;
  using base::function_;
  using base::interpolate;
  using base::points;
  using base::q;
  using base::round_;
  using base::slopes_in;
  using base::slopes_of_test;
  using base::slopes_of_trial;
  using base::slopes_out;
  using base::t;
  using base::test;
  using base::values_in;
  using base::values_out;
  using typename base::line_place;
  static constexpr int a = Shape::last, b = base::lower(a), c = base::upper(a);
  static_assert(Form::dim == 3 && base::trials == 1 && base::tests == 1 && !Form::nodal, "not a case for planes");
  static_assert(Shape::direct == base::slopes, "tables of derivatives are those of the functions");
  enum cube { values, slopes_b, slopes_c };

 public:
  static constexpr int phases = 3, data_phase = 1;
  static constexpr int shared_entries = (base::slopes ? 3 : 1) * base::cube_entries;
  using base::base;

  /// Phase `number` of a round.
  template <int number>
  constexpr void run(int round) {
    round_ = round;
    if constexpr (number == 0) {
      if constexpr (base::packed == 0) prefetch_lines();
      forward();
    } else if constexpr (number == 1) {
      evaluate();
    } else {
      backward();
    }
  }
  /// As for lines.
  constexpr void load(bool ends_only) {
    prefetch_lines();
    base::load_pieces(ends_only);
  }

 private:
  // Lines at the points whose D is prefetched.
  static constexpr int ahead = base::staged ? 0 : Shape::prefetch < q ? Shape::prefetch : q;

  /// Where a plane of a cube, or a set of its lines, begins.
  constexpr T* in_cube(cube which, const line_place& p, int direction) const {
    return base::shared_ + which * base::cube_entries + p.element * Shape::pitch_element +
           p.low * Shape::pitch(direction);
  }

  constexpr void forward() {
    const line_place p = base::place(d, 1);
    if (!p.active) return;
    T plane[d][q], along_b[slopes_in ? d : 1][q];
#pragma unroll
    for (int j = 0; j < d; ++j) {
      T row[d];
      read_row(p, j, row);
      interpolate().apply(row, plane[j]);
      if constexpr (slopes_in) slopes_of_trial().apply(row, along_b[j]);
    }
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T column[d], out[q];
      const auto put = [&](cube which) {
        base::write(out, in_cube(which, p, a) + k * Shape::pitch(b), Shape::pitch(c));
      };
      take_column(plane, k, column);
      interpolate().apply(column, out);
      put(values);
      if constexpr (slopes_in) {
        slopes_of_trial().apply(column, out);
        put(slopes_c);
        take_column(along_b, k, column);
        interpolate().apply(column, out);
        put(slopes_b);
      }
    }
  }

  constexpr void evaluate() {
    const line_place p = base::place(q, 1);
    if (!p.active) return;
    const Stored* const from = own_plane(p);
    // One after the other where nothing else is held: all at once they took up to 100 registers more.
    [[maybe_unused]] constexpr int at_once = ahead > 0 ? q : 1;
#pragma unroll at_once
    for (int l = 0; l < q; ++l) {
      const int start = l * Shape::pitch(c), step = Shape::pitch(a);
      T value[q], slope[3][q];
      {
        T in[d];
        base::read(in_cube(values, p, b) + start, step, in);
        if constexpr (values_in) interpolate().apply(in, value);
        if constexpr (slopes_in) {
          slopes_of_trial().apply(in, slope[a]);
          base::read(in_cube(slopes_b, p, b) + start, step, in);
          interpolate().apply(in, slope[b]);
          base::read(in_cube(slopes_c, p, b) + start, step, in);
          interpolate().apply(in, slope[c]);
        }
      }
#pragma unroll
      for (int k = 0; k < q; ++k) {
        T own[factors];
#pragma unroll
        for (int f = 0; f < factors; ++f)
          own[f] = T(l < ahead ? ahead_[l < ahead ? l : 0][k][f] : from[place_of(l, k) + f * points]);
        at_point<T, 1, 3> u, v;
        if constexpr (values_in) u.value[0] = value[k];
        if constexpr (slopes_in) {
#pragma unroll
          for (int r = 0; r < 3; ++r) u.gradient[0][r] = slope[r][k];
        }
        function_(u, own, v);
        if constexpr (values_out) value[k] = v.value[0];
        if constexpr (slopes_out) {
#pragma unroll
          for (int r = 0; r < 3; ++r) slope[r][k] = v.gradient[0][r];
        }
      }
      T out[t];
      if constexpr (values_out) test().apply(value, out);
      if constexpr (slopes_out) {
        T more[t];
        slopes_of_test().apply(slope[a], more);
#pragma unroll
        for (int i = 0; i < t; ++i) out[i] = values_out ? out[i] + more[i] : more[i];
        test().apply(slope[b], more);
        base::write(more, in_cube(slopes_b, p, b) + start, step);
        test().apply(slope[c], more);
        base::write(more, in_cube(slopes_c, p, b) + start, step);
      }
      base::write(out, in_cube(values, p, b) + start, step);
    }
  }

  constexpr void backward() {
    const line_place p = base::place(t, 1);
    if (!p.active) return;
    T plane[t][q], along_b[slopes_out ? t : 1][q];
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T column[q], out[t];
      const auto take = [&](cube which) {
        base::read(in_cube(which, p, a) + k * Shape::pitch(b), Shape::pitch(c), column);
      };
      take(values);
      test().apply(column, out);
      put_column(out, k, plane);
      if constexpr (slopes_out) {
        take(slopes_c);
        slopes_of_test().apply(column, out);
#pragma unroll
        for (int j = 0; j < t; ++j) plane[j][k] += out[j];
        take(slopes_b);
        test().apply(column, out);
        put_column(out, k, along_b);
      }
    }
#pragma unroll
    for (int j = 0; j < t; ++j) {
      T row[t];
      test().apply(plane[j], row);
      if constexpr (slopes_out) {
        T more[t];
        slopes_of_test().apply(along_b[j], more);
#pragma unroll
        for (int i = 0; i < t; ++i) row[i] += more[i];
      }
      write_row(row, p, j);
    }
  }

  template <int n>
  static constexpr void take_column(const T (&plane)[n][q], int k, T (&column)[n]) {
#pragma unroll
    for (int j = 0; j < n; ++j) column[j] = plane[j][k];
  }
  template <int n>
  static constexpr void put_column(const T (&column)[n], int k, T (&plane)[n][q]) {
#pragma unroll
    for (int j = 0; j < n; ++j) plane[j][k] = column[j];
  }

  // ---- x and y: row j along b of a thread's plane

  constexpr void read_row(const line_place& p, int j, T (&row)[d]) const {
    const int start = p.low * power_of(d, a) + j * power_of(d, c);
    if constexpr (base::packed > 0) {
      const T* const from = this->x_piece_ + p.element * base::x_entries;
#pragma unroll
      for (int i = 0; i < d; ++i) row[i] = from[start + i * power_of(d, b)];
    } else {
      this->x_of(p.element, 0).load(row, start, power_of(d, b));
    }
  }
  constexpr void write_row(const T (&row)[t], const line_place& p, int j) const {
    const int start = p.low * power_of(t, a) + j * power_of(t, c);
    if constexpr (base::packed > 0) {
      base::write(row, this->y_piece_ + p.element * base::y_entries + start, power_of(t, b));
    } else {
      const auto to = this->y_of(p.element, 0);
#pragma unroll
      for (int i = 0; i < t; ++i) to.put(start + i * power_of(t, b), row[i]);
    }
  }

  // ---- D: of point k of line l

  static constexpr int place_of(int l, int k) { return l * power_of(q, c) + k * power_of(q, a); }
  constexpr const Stored* own_plane(const line_place& p) const {
    return base::data_at(p.element / base::together) + p.low * power_of(q, b);
  }
  constexpr void prefetch_lines() {
    if constexpr (ahead > 0) {
      const line_place p = base::place(q, 1);
      if (!p.active) return;
      const Stored* const from = own_plane(p);
#pragma unroll
      for (int l = 0; l < ahead; ++l)
#pragma unroll
        for (int k = 0; k < q; ++k)
#pragma unroll
          for (int f = 0; f < factors; ++f) ahead_[l][k][f] = from[place_of(l, k) + f * points];
    }
  }

  Stored ahead_[ahead > 0 ? ahead : 1][q][factors];
};

}  // namespace tessera::device
