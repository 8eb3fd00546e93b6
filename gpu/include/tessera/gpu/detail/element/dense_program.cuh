// SPDX-License-Identifier: BSD-3-Clause
// What one thread does to apply an operator by dense tables: values and derivatives at some points at a time, the
// function, and the way back.
#pragma once

#include <tessera/gpu/detail/element/dense_elements.cuh>

namespace tessera::device {

/// A thread has the points lane + lanes m, m < points, of a part of all points, and the test functions lane + lanes n,
/// of each element of its group. It sums over functions and points in order, in registers:
///
///     x (d) shared -> slots (points; elements) in registers -> function -> shared (slots, points of the part)
///          -> y (functions; elements) in registers, for all parts
///
/// Neighbouring threads read table entries of neighbouring points or functions, whole lines, and use them for all
/// elements of the thread. x and what the function gives are read by all threads of a group at once, a piece at a time.
/// Template parameters as of dense_elements.
template <class T, class Stored, class Function, class Form, bool Several, class Loader, class Storer>
class dense_program : public dense_elements<T, Stored, Function, Form, Several, Loader, Storer> {
  using base = dense_elements<T, Stored, Function, Form, Several, Loader, Storer>;
  using base::d;
  using base::factors;
  using base::in;
  using base::is_there;
  using base::layout;
  using base::out;
  using base::q;
  using base::round_;
  using base::shared_;
  using base::t;
  using base::tables_;
  using base::tests;
  using base::thread_;
  using base::trials;

  static constexpr int lanes = Form::tuning.lanes, groups = Form::tuning.groups, points = Form::tuning.points;
  static constexpr int elements = Form::tuning.elements, functions = layout.functions(), part = layout.part();
  static constexpr bool ahead = Form::tuning.ahead;
  static constexpr int of_piece = layout.of_piece();
  static_assert(lanes % of_piece == 0, "parts of whole pieces");

 public:
  using base::elements_of_block;
  using base::threads;

  constexpr dense_program(const typename base::arguments& a, const typename base::tables& all, const Function& f,
                          T* shared, index_t block, int thread)
      : base(a, all, f, shared, block, thread), lane_(thread % lanes), group_(thread / lanes) {}

  /// x of the block's elements to shared memory. A barrier follows.
  constexpr void begin(int round) {
    round_ = round;
    constexpr int all = trials * layout.padded_trial();
    for (int n = thread_; n < elements_of_block * all; n += threads) {
      const int element = n / all, c = n % all / layout.padded_trial(), i = n % layout.padded_trial();
      shared_[element * layout.x_pitch() + n % all] = i < d && is_there(element) ? this->x_of(element, c)[i] : T(0);
    }
#pragma unroll
    for (int c = 0; c < tests; ++c)
#pragma unroll
      for (int n = 0; n < functions; ++n)
#pragma unroll
        for (int e = 0; e < elements; ++e) y_[c][n][e] = 0;
  }

  /// Values and derivatives at the part's points, and what the function gives there. A barrier follows.
  constexpr void to_points(int number) {
    if (group_ >= groups) return;
    const int first = number * part + lane_;
    Stored own[ahead ? points : 1][ahead ? elements : 1][factors];
    if constexpr (ahead) {
#pragma unroll
      for (int m = 0; m < points; ++m)
#pragma unroll
        for (int e = 0; e < elements; ++e)
          if (first + lanes * m < q && is_there(element(e)))
            base::read_data(this->data_of(element(e)) + first + lanes * m, own[m][e]);
    }
    T at[trials][in > 0 ? in : 1][points][elements];
    sum_at_points(first, at);
#pragma unroll
    for (int m = 0; m < points; ++m)
#pragma unroll
      for (int e = 0; e < elements; ++e) {
        T* const to = v_of(e) + lane_ + lanes * m;
        if (first + lanes * m < q && is_there(element(e))) {
          if constexpr (!ahead) base::read_data(this->data_of(element(e)) + first + lanes * m, own[0][0]);
          evaluate(at, m, e, own[ahead ? m : 0][ahead ? e : 0], to);
        } else {
#pragma unroll
          for (int s = 0; s < tests * out; ++s) to[part * s] = 0;
        }
      }
  }

  /// Adds to y what the part's points give. A barrier follows.
  constexpr void from_points(int number) {
    if (group_ >= groups) return;
    const int rest = q - number * part, there = rest < part ? rest : part;
    const T* const table = tables_.test + index_t(number) * part * out * layout.padded_test() + lane_;
    for (int k = 0; k < there; k += of_piece)
#pragma unroll
      for (int s = 0; s < out; ++s) {
        piece v[tests][elements];
#pragma unroll
        for (int c = 0; c < tests; ++c)
#pragma unroll
          for (int e = 0; e < elements; ++e) v[c][e] = piece_at(v_of(e) + part * (s + out * c) + k);
#pragma unroll
        for (int w = 0; w < of_piece; ++w)
#pragma unroll
          for (int n = 0; n < functions; ++n) {
            const T entry = table[((k + w) * out + s) * layout.padded_test() + lanes * n];
#pragma unroll
            for (int c = 0; c < tests; ++c)
#pragma unroll
              for (int e = 0; e < elements; ++e) y_[c][n][e] += entry * v[c][e].at[w];
          }
      }
  }

  /// y of the block's elements.
  constexpr void end() {
    if (group_ >= groups) return;
#pragma unroll
    for (int e = 0; e < elements; ++e) {
      if (!is_there(element(e))) continue;
#pragma unroll
      for (int c = 0; c < tests; ++c)
#pragma unroll
        for (int n = 0; n < functions; ++n)
          if (lane_ + lanes * n < t) this->put_y(element(e), c, lane_ + lanes * n, y_[c][n][e]);
    }
  }

 private:
  struct alignas(16) piece {
    T at[of_piece];
  };
  static constexpr piece piece_at(const T* from) { return *reinterpret_cast<const piece*>(from); }

  /// Of the block, the thread's e-th: groups side by side have elements side by side.
  constexpr int element(int e) const { return group_ + groups * e; }
  constexpr const T* shared_x(int e) const { return shared_ + element(e) * layout.x_pitch(); }
  constexpr T* v_of(int e) const { return shared_ + layout.v_start() + element(e) * layout.v_pitch(); }

  template <int slots>
  constexpr void sum_at_points(int first, T (&at)[trials][slots][points][elements]) const {
#pragma unroll
    for (int c = 0; c < trials; ++c)
#pragma unroll
      for (int s = 0; s < slots; ++s)
#pragma unroll
        for (int m = 0; m < points; ++m)
#pragma unroll
          for (int e = 0; e < elements; ++e) at[c][s][m][e] = 0;
    const T* const table = tables_.trial + first;
    for (int i = 0; i < layout.padded_trial(); i += of_piece) {
      piece x[trials][elements];
#pragma unroll
      for (int c = 0; c < trials; ++c)
#pragma unroll
        for (int e = 0; e < elements; ++e) x[c][e] = piece_at(shared_x(e) + layout.padded_trial() * c + i);
#pragma unroll
      for (int w = 0; w < of_piece; ++w)
#pragma unroll
        for (int s = 0; s < in; ++s)
#pragma unroll
          for (int m = 0; m < points; ++m) {
            const T entry = table[((i + w) * in + s) * layout.padded_points() + lanes * m];
#pragma unroll
            for (int c = 0; c < trials; ++c)
#pragma unroll
              for (int e = 0; e < elements; ++e) at[c][s][m][e] += entry * x[c][e].at[w];
          }
    }
  }

  template <int slots>
  constexpr void evaluate(const T (&at)[trials][slots][points][elements], int m, int e, const Stored (&own)[factors],
                          T* to) const {
    at_point<T, trials, base::dim> u;
    at_point<T, tests, base::dim> v;
    base::put([&](int c, int s) { return at[c][s][m][e]; }, u);
    this->call(u, own, v);
    base::take(v, [&](int c, int s, T value) { to[part * (s + out * c)] = value; });
  }

  int lane_, group_;
  T y_[tests][functions][elements];
};

}  // namespace tessera::device
