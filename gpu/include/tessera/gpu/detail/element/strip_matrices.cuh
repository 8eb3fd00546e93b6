// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for symmetric matrices B^T D B by strips on tensor cores. It is an ordinary function of the
// thread's number, so that tests run it on the host.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/strip_layout.hpp>

namespace tessera::device {

/// Of diffusion and Helmholtz operators in 3-D, in double. Direction by direction, from the last one, what is left of D
/// is multiplied with a trial function at the points, lane by lane, and then with all test functions, a warp's product
/// whose steps are the points:
///
///     D (q,q,q) -> classes (q,q, d) -> groups (q, d) -> staged (d, d, d) of a column
///
/// A class (o,i) is what multiplies derivatives along o of test functions and along i of trial functions, a group is
/// that once o and i are only whether they are along the first direction. Lane l has points 2 (l % 4) and the next of a
/// direction, as operand and as result, so that groups stay in registers. Stores: how 16 bytes are written to M.
template <class Products, class Stored, class Function, class Form, class Shape, class Stores>
class strip_program {
  using T = double;
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, factors = Function::factors;
  static constexpr matrix_tuning by = Shape::tuning;
  static constexpr bool packed = Shape::packed;
  using slots = couplings<Function>;
  static_assert(dim == 3 && Form::t == d && !Form::own_test && slots::parts == 1 && Function::trial.gradient);

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr strip_layout layout{{d, q, packed}, by};
  using value_type = T;
  using arguments = matrix_arguments<T>;
  using tables = table_constants<T, 0>;

 private:
  static constexpr int square = layout.square, warps = layout.warps(), n = layout.functions();
  static constexpr int below = layout.points_below(), points = layout.points();
  static constexpr int of_values = slots::between(dim, dim).factor;  // what multiplies values, if there is any
  static_assert(d <= square && q <= square);

  /// A lane's two points.
  struct alignas(16) two {
    T at[2];
  };
  /// A function's values and slopes there.
  struct both {
    two value, slope;
  };
  enum : int { c00, c01, c11, c02, c12, c20, c21, c22 };

 public:
  strip_program(const arguments& a, const tables&, T* shared, index_t block, int thread)
      : a_(a), shared_(shared), element_(block / d), thread_(thread), slice_(int(block % d)) {}

  /// All steps in their order. step(f): every thread's program goes through f(program), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    step([](auto& s) { s.sum_last(); });
    if constexpr (by.staged == 1) {
      for (int strip = 0; strip < d; ++strip) {
        step([strip](auto& s) { s.multiply(strip); });
        step([strip](auto& s) { s.store(strip); });
      }
    } else {
      for (int strip = 0; strip <= d; ++strip)
        step([strip](auto& s) {
          if (strip > 0) s.store(strip - 1);
          if (strip < d) s.multiply(strip);
        });
    }
  }

  // ---- Steps

  /// The last direction: columns are points of the first one, rows functions.
  void sum_last() {
    const both test = function(lane() / 4);
#pragma unroll
    for (int j = 0; j < d; ++j) trial_[j] = function(j);
    test_ = test;
    const both own = function(slice_);
    next_ = function(0);
    // All that a lane reads is under way together.
    constexpr int rounds = (square + warps - 1) / warps;
    two data[rounds][factors];
#pragma unroll
    for (int round = 0; round < rounds; ++round)
#pragma unroll
      for (int f = 0; f < factors; ++f) data[round][f] = data_at(f, warp() + warps * round);
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      const int k = warp() + warps * round;  // a point of the second direction, or nothing beyond them
      if (k >= square) continue;
      T* const to = shared_ + (layout.pair_pitch * (lane() / 4) + layout.place_of_point(2 * (lane() % 4), k));
      const auto factor = [&](int f) -> const two& { return data[round][f]; };
      const auto put = [&](int which, const T(&sum)[2]) {
        if (lane() / 4 >= d) return;
        to[layout.class_pitch * which] = sum[0];
        to[layout.class_pitch * which + square] = sum[1];
      };
      const auto sums = [&](int which, const two& test_of, const two& x, const two& trial_of) {
        T sum[2] = {};
        add(sum, test_of, times(x, trial_of));
        put(which, sum);
      };
      const auto factor_of = [](int o, int i) { return slots::between(o, i).factor; };
      sums(c00, test.value, factor(factor_of(0, 0)), own.value);
      sums(c01, test.value, factor(factor_of(0, 1)), own.value);
      sums(c11, test.value, factor(factor_of(1, 1)), own.value);
#pragma unroll
      for (int o = 0; o < 2; ++o) {
        const two& x = factor(factor_of(o, 2));
        sums(c02 + o, test.value, x, own.slope);
        sums(c20 + o, test.slope, x, own.value);
      }
      T sum[2] = {};
      add(sum, test.slope, times(factor(factor_of(2, 2)), own.slope));
      if constexpr (of_values >= 0) add(sum, test.value, times(factor(of_values), own.value));
      put(c22, sum);
    }
  }

  /// A strip's columns, staged: each warp has two functions of the last direction at once.
  void multiply(int strip) {
    const both trial = next_;
    next_ = function(strip + 1);
    for (int row = 2 * warp(); row < d - first_row(); row += 2 * warps) {
      groups g[2];
#pragma unroll
      for (int t = 0; t < 2; ++t) g[t] = groups_of(first_row() + row + t, trial);
#pragma unroll
      for (int j = 0; j < d; ++j) {
        T sum[2][2] = {};
        two slopes[2], values[2];
#pragma unroll
        for (int t = 0; t < 2; ++t) {
          slopes[t] = plus(times(g[t].of[0], trial_[j].slope), g[t].of[1], trial_[j].value);
          values[t] = plus(times(g[t].of[2], trial_[j].slope), g[t].of[3], trial_[j].value);
        }
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          Products::multiply_both(sum[0], sum[1], slopes[0].at[m], slopes[1].at[m], test_.slope.at[m]);
          Products::multiply_both(sum[0], sum[1], values[0].at[m], values[1].at[m], test_.value.at[m]);
        }
        // Rows are functions of the second direction, columns those of the first.
        T* const to = staged(strip, j) + (2 * (lane() % 4) + d * (lane() / 4 + d * (first_row() + row)));
#pragma unroll
        for (int t = 0; t < 2; ++t)
#pragma unroll
          for (int s = 0; s < 2; ++s)
            if (lane() / 4 < d && 2 * (lane() % 4) + s < d && first_row() + row + t < d) to[d * d * t + s] = sum[t][s];
      }
    }
  }

  /// A strip's columns to M: of full matrices one behind the other, of triangles a warp writes each.
  void store(int strip) const {
    if (element_ >= a_.count) return;
    const int first = column(strip, 0);
    if constexpr (packed) {
      for (int j = warp(); j < d; j += warps)
        copy<32>(matrix() + (layout.start_of(first + j) + first + j), staged(strip, j) + first + j, n - first - j,
                 lane());
    } else {
      copy<threads>(matrix() + layout.start_of(first), staged(strip, 0), n * d, thread_);
    }
  }

 private:
  /// What is left once two directions are contracted, of functions of these; lanes have rows of them: 0 and 1 multiply
  /// slopes of test functions, 0 and 2 those of trial functions.
  struct groups {
    two of[4];
  };

  int lane() const { return thread_ % 32; }
  int warp() const { return thread_ / 32; }
  /// Of a triangle's slice: the function of the last direction that its rows begin with.
  int first_row() const { return packed ? slice_ : 0; }
  int column(int strip, int j) const { return j + d * (strip + d * slice_); }
  T* matrix() const { return a_.M + element_ * layout.entries_of_matrix(); }
  /// Row 0 of a strip's column: as far behind a multiple of 128 bytes as it is, or would be, in M.
  T* staged(int strip, int j) const {
    const T* const in_M = matrix() + layout.start_of(column(strip, packed ? j : 0));
    return shared_ + (layout.staged_place(strip) + layout.column_pitch() * j + off_line(in_M));
  }
  static int off_line(const T* at) { return int(reinterpret_cast<unsigned long long>(at) / sizeof(T) % layout.line); }

  both function(int i) const {
    both b;
    if (i >= d) return both{{{0, 0}}, {{0, 0}}};
    const T* const from = a_.tables + (square * i + 2 * (lane() % 4));
    b.value = *reinterpret_cast<const two*>(from);
    b.slope = *reinterpret_cast<const two*>(from + square * square);
    return b;
  }
  /// Factor f at a lane's points of the last direction, of the first one that it has as a column, and of the second
  /// one.
  two data_at(int f, int second) const {
    const Stored* const D = static_cast<const Stored*>(a_.D) + (a_.first + element_) * (factors * points);
    const int first = lane() / 4;
    two x;
#pragma unroll
    for (int m = 0; m < 2; ++m) {
      const int point = 2 * (lane() % 4) + m;
      const bool there = element_ < a_.count && point < q && first < q && second < q;
      x.at[m] = there ? T(D[f * points + first + q * (second + q * point)]) : T(0);
    }
    return x;
  }
  static two times(const two& x, const two& y) { return {{x.at[0] * y.at[0], x.at[1] * y.at[1]}}; }
  static two plus(const two& sum, const two& x, const two& y) {
    return {{sum.at[0] + x.at[0] * y.at[0], sum.at[1] + x.at[1] * y.at[1]}};
  }
  static void add(T (&sum)[2], const two& rows, const two& columns) {
#pragma unroll
    for (int m = 0; m < 2; ++m) Products::multiply(sum, rows.at[m], columns.at[m]);
  }

  /// The second direction: columns are points of the first one, rows functions.
  groups groups_of(int row, const both& trial) const {
    if (row >= d) return groups{};
    const T* const from = shared_ + (layout.pair_pitch * row + layout.place_of_point(lane() / 4, 2 * (lane() % 4)));
    two c[layout.classes];
#pragma unroll
    for (int which = 0; which < layout.classes; ++which)
      c[which] = *reinterpret_cast<const two*>(from + layout.class_pitch * which);
    T sum[4][2] = {};
    add(sum[0], test_.value, times(c[c00], trial.value));
    add(sum[1], test_.value, plus(times(c[c01], trial.slope), c[c02], trial.value));
    add(sum[2], test_.slope, times(c[c01], trial.value));
    add(sum[2], test_.value, times(c[c20], trial.value));
    add(sum[3], test_.slope, plus(times(c[c11], trial.slope), c[c12], trial.value));
    add(sum[3], test_.value, plus(times(c[c21], trial.slope), c[c22], trial.value));
    groups g;
#pragma unroll
    for (int which = 0; which < 4; ++which) g.of[which] = {{sum[which][0], sum[which][1]}};
    return g;
  }

  /// `count` entries that are as far behind a multiple of 128 bytes in both places, by `all` threads.
  template <int all>
  static void copy(T* to, const T* from, int count, int thread) {
    const int begin = off_line(to), end = begin + count, whole = begin + begin % 2, last = end - end % 2;
    T* const to_line = to - begin;
    const T* const from_line = from - begin;
    constexpr int at_once = 5;
    for (int at = 2 * thread; at < last; at += 2 * all * at_once) {
      two now[at_once];
#pragma unroll
      for (int m = 0; m < at_once; ++m)
        if (const int from_here = at + 2 * all * m; from_here >= whole && from_here < last)
          now[m] = *reinterpret_cast<const two*>(from_line + from_here);
#pragma unroll
      for (int m = 0; m < at_once; ++m)
        if (const int to_here = at + 2 * all * m; to_here >= whole && to_here < last)
          Stores::store(to_line + to_here, now[m].at);
    }
    if (thread == 0 && whole > begin) *to = *from;
    if (thread == 0 && end > last && last >= whole) to_line[last] = from_line[last];
  }

  const arguments& a_;
  T* shared_;
  index_t element_;
  int thread_, slice_;
  both test_, trial_[d], next_;  // the lane's row of functions, all of them, and that of the next strip
};

}  // namespace tessera::device
