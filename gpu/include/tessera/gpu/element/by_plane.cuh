// SPDX-License-Identifier: BSD-3-Clause
// The share of one thread where threads hold planes of an element: fewer exchanges and less to count than with lines.
#pragma once

#include <tessera/gpu/element/stored.cuh>

namespace tessera::device {

/// For functions of values of one component in 3-D. Of the directions a (the tuning's last), b and c, a thread first
/// has the plane of one node along a, and contracts it in b and c; then, of one point along b, all lines along a, one
/// after the other, to the points, through the function and back; then a plane again. Two barriers, two exchanges:
///
///     x (d,d,d) -> registers (d,q) -> cube (d,q,q) -> lines (q), D, lines (t) -> cube (t,q,q) -> registers (t,q) -> y
template <class T, class Stored, class Function, class Form, class Shape, bool Several, bool Unit>
class plane_share : public stored_data<T, Stored, Function, Form, Shape, Several, Unit> {
  using base = stored_data<T, Stored, Function, Form, Shape, Several, Unit>;
  using base::a_;
  using base::d;
  using base::factors;
  using base::function_;
  using base::interpolate;
  using base::points;
  using base::q;
  using base::round_;
  using base::t;
  using base::test;
  using typename base::line_place;
  static constexpr int a = Shape::last, b = base::lower(a), c = base::upper(a);
  static_assert(Form::dim == 3 && base::trials == 1 && base::tests == 1 && !Form::nodal && !base::slopes,
                "not a case for planes");

 public:
  static constexpr int phases = 3, data_phase = 1;
  static constexpr int shared_entries = base::cube_entries;
  using base::base;

  /// Phase `number` of a round.
  template <int number>
  constexpr void run(int round) {
    round_ = round;
    if constexpr (number == 0) {
      if constexpr (base::packed == 0) ask_ahead();
      forward();
    } else if constexpr (number == 1) {
      evaluate();
    } else {
      backward();
    }
  }
  /// As of lines.
  constexpr void fetch(bool ends) {
    ask_ahead();
    base::fetch_pieces(ends);
  }

 private:
  // Lines at the points whose D is asked for early.
  static constexpr int ahead = base::staged ? 0 : Shape::prefetch < q ? Shape::prefetch : q;

  /// Where a plane of the cube, or a set of its lines, begins.
  constexpr T* in_cube(const line_place& p, int direction) const {
    return base::shared_ + p.element * Shape::pitch_element + p.low * Shape::pitch(direction);
  }

  constexpr void forward() {
    const line_place p = base::place(d, 1);
    if (!p.active) return;
    T plane[d][q];
#pragma unroll
    for (int j = 0; j < d; ++j) {
      T row[d];
      read_row(p, j, row);
      interpolate().apply(row, plane[j]);
    }
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T column[d], out[q];
#pragma unroll
      for (int j = 0; j < d; ++j) column[j] = plane[j][k];
      interpolate().apply(column, out);
      base::write(out, in_cube(p, a) + k * Shape::pitch(b), Shape::pitch(c));
    }
  }

  constexpr void evaluate() {
    const line_place p = base::place(q, 1);
    if (!p.active) return;
    const Stored* const from = own_plane(p);
#pragma unroll
    for (int l = 0; l < q; ++l) {
      T* const line = in_cube(p, b) + l * Shape::pitch(c);
      T in[d], value[q], out[t];
      base::read(line, Shape::pitch(a), in);
      interpolate().apply(in, value);
#pragma unroll
      for (int k = 0; k < q; ++k) {
        T own[factors];
#pragma unroll
        for (int f = 0; f < factors; ++f)
          own[f] = T(l < ahead ? ahead_[l < ahead ? l : 0][k][f] : from[place_of(l, k) + f * points]);
        at_point<T, 1, 3> u, v;
        u.value[0] = value[k];
        function_(u, own, v);
        value[k] = v.value[0];
      }
      test().apply(value, out);
      base::write(out, line, Shape::pitch(a));
    }
  }

  constexpr void backward() {
    const line_place p = base::place(t, 1);
    if (!p.active) return;
    T plane[t][q];
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T column[q], out[t];
      base::read(in_cube(p, a) + k * Shape::pitch(b), Shape::pitch(c), column);
      test().apply(column, out);
#pragma unroll
      for (int j = 0; j < t; ++j) plane[j][k] = out[j];
    }
#pragma unroll
    for (int j = 0; j < t; ++j) {
      T row[t];
      test().apply(plane[j], row);
      write_row(row, p, j);
    }
  }

  // ---- x and y: row j along b of a thread's plane

  template <class Entries, int n>
  static constexpr void take_row(const Entries& from, int start, int j, T (&row)[n]) {
#pragma unroll
    for (int i = 0; i < n; ++i) row[i] = from[start + j * power_of(n, c) + i * power_of(n, b)];
  }
  constexpr void read_row(const line_place& p, int j, T (&row)[d]) const {
    const int start = p.low * power_of(d, a);
    if constexpr (base::packed > 0)
      take_row(this->x_piece_ + p.element * base::x_entries, start, j, row);
    else
      take_row(this->x_of(p.element, 0), start, j, row);
  }
  constexpr void write_row(const T (&row)[t], const line_place& p, int j) const {
    const int start = p.low * power_of(t, a) + j * power_of(t, c);
    if constexpr (base::packed > 0) {
      base::write(row, this->y_piece_ + p.element * base::y_entries + start, power_of(t, b));
    } else {
      const auto to = this->y_of(p.element, 0);
#pragma unroll
      for (int i = 0; i < t; ++i) {
        T& entry = to[start + i * power_of(t, b)];
        entry = a_.add ? entry + row[i] : row[i];
      }
    }
  }

  // ---- D: of point k of line l

  static constexpr int place_of(int l, int k) { return l * power_of(q, c) + k * power_of(q, a); }
  constexpr const Stored* own_plane(const line_place& p) const {
    return base::data_at(p.element / base::together) + p.low * power_of(q, b);
  }
  constexpr void ask_ahead() {
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
