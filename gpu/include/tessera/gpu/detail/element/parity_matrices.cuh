// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for symmetric matrices B^T D B of a block's elements in 2-D, by even and odd parts. It is an
// ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/parity_layout.hpp>
#include <tessera/gpu/detail/element/places.cuh>

namespace tessera::device {

/// Of diffusion and Helmholtz operators, in double, of functions that mirror each other. Along the first direction D is
/// a sum of even and odd lines, and so are functions (see parity_functions). Of two even or two odd functions M has
/// what is even of a line, of an even and an odd one what is odd; a slope turns its function's parity. So half a line
/// of each parity makes d d / 2 numbers, and entries of M are their sums and differences. A thread has both parities of
/// a pair of functions of the last direction:
///
///     D (q,q) -> even, odd (q/2,q) -> 4 classes even and odd (q/2, pairs), in registers -> staged (d d, pairs) -> M
///
/// Functions are the launch's constants, products of pairs of the last direction are in memory.
template <class Stored, class Function, class Form, class Shape, class Stores>
class parity_program {
  using T = double;
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, factors = Function::factors;
  static constexpr matrix_tuning by = Shape::tuning;
  using slots = couplings<Function>;
  static_assert(dim == 2 && Form::t == d && !Form::own_test && slots::parts == 1 && Function::trial.gradient);

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr parity_layout layout{{d, q, factors, Shape::packed}, by};
  using value_type = T;
  using arguments = matrix_arguments<T>;
  using tables = table_constants<T, layout.tables().entries()>;

 private:
  static constexpr parity_functions functions = layout.tables();
  static constexpr int elements = by.elements, pairs = layout.pairs(), points = layout.points(), half = d / 2;
  static constexpr bool has_middle = d % 2 == 1;
  static constexpr int of_values = slots::between(dim, dim).factor;  // what multiplies values, if there is any
  static constexpr int D00 = slots::between(0, 0).factor, D01 = slots::between(0, 1).factor,
                       D11 = slots::between(1, 1).factor;
  static constexpr int points_of(bool odd) { return functions.points_of(odd); }
  struct alignas(16) two {
    T at[2];
  };

 public:
  parity_program(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : a_(a), constants_(constants), shared_(shared), first_(block * elements), thread_(thread) {}

  template <class Step>
  static void in_order(const Step& step) {
    step([](auto& s) { s.put_data(); });
    step([](auto& s) { s.sum(); });
    step([](auto& s) { s.store(); });
  }

  // ---- Steps

  /// Even and odd parts of D, several numbers of a thread under way at once.
  void put_data() const {
    constexpr unsigned of_element = factors * q * of_line, turns = (elements * of_element + threads - 1) / threads;
    constexpr unsigned at_once = turns < 4 ? turns : 4;
    const Stored* const from = static_cast<const Stored*>(a_.D) + (a_.first + first_) * (factors * points);
    const index_t rest = a_.count - first_;
    const unsigned all = of_element * unsigned(rest < elements ? (rest > 0 ? rest : 0) : elements);
    for (unsigned begin = unsigned(thread_); begin < all; begin += threads * at_once) {
      Stored now[at_once], mirrored[at_once];
#pragma unroll
      for (unsigned n = 0; n < at_once; ++n) {
        const unsigned at = begin + n * threads, line = at / of_line, k = at % of_line;
        if (at >= all) continue;
        now[n] = from[q * line + k];
        mirrored[n] = from[q * line + (q - 1 - k)];
      }
#pragma unroll
      for (unsigned n = 0; n < at_once; ++n) {
        const unsigned at = begin + n * threads, line = at / of_line, k = at % of_line;
        if (at < all) put_point(line, k, T(now[n]), T(mirrored[n]));
      }
    }
  }

  void sum() const {
    for (int n = thread_; n < elements * pairs; n += threads)
      if (first_ + n / pairs < a_.count) sum_of(n);
  }

  void store() const { store_singly<T, Stores, threads, by.at_once>(a_, layout.written(), first_, shared_, thread_); }

 private:
  // ---- D

  static constexpr unsigned of_line = layout.line_of();

  /// Point k of a line and its mirror image.
  void put_point(unsigned line, unsigned k, T now, T mirrored) const {
    const unsigned row = line % q, factor = line / q % factors, element = line / (q * factors);
    T* const to =
        shared_ + (layout.data_place() + layout.data_pitch() * element + layout.row_of() * row + of_line * factor + k);
    const bool turned = factor == D01, middle = q % 2 == 1 && k == q / 2;
    to[turned ? layout.data_of_parity() : 0] = middle ? now : now + mirrored;
    to[turned ? 0 : layout.data_of_parity()] = now - mirrored;
  }

  /// What the last direction leaves of half a line, by v's and u's slopes in the first direction: V is of values and
  /// values, W of slopes and slopes, X of a slope of v, Y of one of u.
  template <bool odd>
  struct half_lines {
    T V[points_of(odd) + 1] = {}, W[points_of(odd) + 1] = {}, X[points_of(!odd) + 1] = {}, Y[points_of(!odd) + 1] = {};
  };

  void sum_of(int task) const {
    half_lines<false> even;
    half_lines<true> odd;
    take_data(task, even, odd);
    T* const to = shared_ + layout.pitch() * task;
    constexpr int rest = half % by.columns;
#pragma unroll 1
    for (int j = 0; j + by.columns <= half; j += by.columns) put_columns<by.columns>(even, odd, j, to);
    if constexpr (rest > 0) put_columns<rest>(even, odd, half - rest, to);
    if constexpr (has_middle) put_middle(even, odd, to);
  }

  void take_data(int task, half_lines<false>& even, half_lines<true>& odd) const {
    const T* const data = shared_ + (layout.data_place() + layout.data_pitch() * (task / pairs));
    const two* const products = reinterpret_cast<const two*>(a_.tables) + task % pairs;
#pragma unroll 2
    for (int k = 0; k < q; ++k) {
      const two alike = products[2 * k * pairs], unlike = products[(2 * k + 1) * pairs];
      add_point(data + layout.row_of() * k, alike, unlike, even);
      add_point(data + (layout.row_of() * k + layout.data_of_parity()), alike, unlike, odd);
    }
  }
  /// A point of the last direction.
  template <bool odd>
  static void add_point(const T* data, const two& alike, const two& unlike, half_lines<odd>& to) {
    constexpr int row = layout.row_of(), own = points_of(odd), other = points_of(!odd);
    T x[row];
#pragma unroll
    for (int n = 0; n < row / 2; ++n) {
      const two now = reinterpret_cast<const two*>(data)[n];
      x[2 * n] = now.at[0];
      x[2 * n + 1] = now.at[1];
    }
#pragma unroll
    for (int n = 0; n < own; ++n) {
      to.V[n] += alike.at[1] * x[of_line * D11 + n];
      to.W[n] += alike.at[0] * x[of_line * D00 + n];
      if constexpr (of_values >= 0) to.V[n] += alike.at[0] * x[of_line * of_values + n];
    }
#pragma unroll
    for (int n = 0; n < other; ++n) {
      to.X[n] += unlike.at[0] * x[of_line * D01 + n];
      to.Y[n] += unlike.at[1] * x[of_line * D01 + n];
    }
  }

  // ---- The first direction

  T value(bool odd, int i, int k) const { return constants_.at[functions.value(odd, i, k)]; }
  T slope(bool odd, int i, int k) const { return constants_.at[functions.slope(odd, i, k)]; }

  /// Of n trial functions from j on, with v's functions of one parity; u's is the same for even numbers.
  template <bool of_v, int n, bool odd>
  void take_trial(const half_lines<odd>& lines, int j, T (&sums)[n][half + 1]) const {
    constexpr bool of_u = of_v != odd;
    constexpr int tests = functions.count(of_v);
#pragma unroll
    for (int c = 0; c < n; ++c)
#pragma unroll
      for (int i = 0; i < tests; ++i) sums[c][i] = T(0);
#pragma unroll
    for (int k = 0; k < points_of(false); ++k) {
      T with_value[n] = {}, with_slope[n] = {};
#pragma unroll
      for (int c = 0; c < n; ++c) {
        if (k < points_of(of_u)) {
          const T u = value(of_u, j + c, k);
          if (k < points_of(odd)) with_value[c] += u * lines.V[k];
          if (k < points_of(!odd)) with_slope[c] += u * lines.X[k];
        }
        if (k < points_of(!of_u)) {
          const T u = slope(of_u, j + c, k);
          if (k < points_of(!odd)) with_value[c] += u * lines.Y[k];
          if (k < points_of(odd)) with_slope[c] += u * lines.W[k];
        }
      }
#pragma unroll
      for (int i = 0; i < tests; ++i)
#pragma unroll
        for (int c = 0; c < n; ++c) {
          if (k < points_of(of_v)) sums[c][i] += value(of_v, i, k) * with_value[c];
          if (k < points_of(!of_v)) sums[c][i] += slope(of_v, i, k) * with_slope[c];
        }
    }
  }

  /// With all of v's functions: what entries of mirror images have in common.
  template <int n, bool odd>
  void take_columns(const half_lines<odd>& lines, int j, T (&sums)[n][d]) const {
    T even_v[n][half + 1], odd_v[n][half + 1];
    take_trial<false>(lines, j, even_v);
    take_trial<true>(lines, j, odd_v);
#pragma unroll
    for (int c = 0; c < n; ++c) {
#pragma unroll
      for (int i = 0; i < half; ++i) {
        sums[c][i] = even_v[c][i] + odd_v[c][i];
        sums[c][d - 1 - i] = even_v[c][i] - odd_v[c][i];
      }
      if constexpr (has_middle) sums[c][half] = even_v[c][half];
    }
  }

  /// Of n trial functions below the middle one, and of their mirror images.
  template <int n>
  void put_columns(const half_lines<false>& even, const half_lines<true>& odd, int j, T* to) const {
    T of_even[n][d], of_odd[n][d];
    take_columns(even, j, of_even);
    take_columns(odd, j, of_odd);
#pragma unroll
    for (int c = 0; c < n; ++c)
#pragma unroll
      for (int i = 0; i < d; ++i)
        put(to + layout.slot(i, 0) + layout.column_pitch() * (j + c), of_even[c][i], of_odd[c][i]);
  }
  /// The middle function is even.
  void put_middle(const half_lines<false>& even, const half_lines<true>& odd, T* to) const {
    T of_even[1][half + 1], of_odd[1][half + 1] = {};
    take_trial<false>(even, half, of_even);
    take_trial<true>(odd, half, of_odd);
#pragma unroll
    for (int i = 0; i <= half; ++i) put(to + layout.slot(i, half), of_even[0][i], i < half ? of_odd[0][i] : T(0));
  }
  static void put(T* to, T even, T odd) {
    to[0] = even + odd;
    to[layout.staged_sums()] = even - odd;
  }

  const arguments& a_;
  const tables& constants_;
  T* shared_;
  index_t first_ = 0;
  int thread_;
};

}  // namespace tessera::device
