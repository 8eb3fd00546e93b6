// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for symmetric matrices B^T D B of a block's elements, where each thread computes what a pair
// of functions of the last direction has in a matrix. It is an ordinary function of the thread's number.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/places.cuh>
#include <tessera/gpu/detail/element/product_layout.hpp>

namespace tessera::device {

/// For matrices that are small in the directions below the last one: a line of points in 2-D, and in 3-D a square of
/// few. D comes to shared memory at once, threads of an element read the same numbers of it, and sums stay in
/// registers. Tables are the launch's constants, products of the last direction [slopes of which][point][pair] are in
/// memory.
template <class Stored, class Function, class Form, class Shape, class Stores>
class thread_program {
  using T = double;
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, factors = Function::factors, level = dim - 2;
  static constexpr matrix_tuning by = Shape::tuning;
  using slots = couplings<Function>;
  static constexpr bool slopes = Function::trial.gradient;
  static_assert(dim > 1 && Form::t == d && !Form::own_test && slots::parts == 1);

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr product_layout layout{product_sizes_of<Function>(d, q, Shape::packed), by};
  using value_type = T;
  using arguments = matrix_arguments<T>;
  /// Values (q,d), and slopes behind them.
  using tables = table_constants<T, (slopes ? 2 : 1) * q * d>;

 private:
  static constexpr int elements = by.elements, pairs = layout.pairs(), points = layout.points();
  static constexpr int data_place = layout.data_place(), data_pitch = layout.data_pitch();
  static constexpr int staged_of_pair = layout.staged_of_pair();
  static constexpr int classes = slots::count(level), last_classes = slots::count(0);

 public:
  thread_program(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : a_(a), constants_(constants), shared_(shared), first_(block * elements), thread_(thread) {}

  template <class Step>
  static void in_order(const Step& step) {
    step([](auto& s) { s.put_data(); });
    step([](auto& s) { s.sum(); });
    step([](auto& s) { s.store(); });
  }

  // ---- Steps

  void put_data() const {
    put_data_of_block<Stored, elements, factors * points, data_pitch, threads>(a_, first_, shared_ + data_place,
                                                                               thread_);
  }

  void sum() const {
    for (int n = thread_; n < elements * pairs; n += threads) {
      const int element = n / pairs;
      if (first_ + element >= a_.count) continue;
      const T* const products = a_.tables + n % pairs;
      const T* const data = shared_ + (data_place + data_pitch * element);
      T* const to = shared_ + staged_of_pair * n;
      if constexpr (dim == 2) {
        T line[classes][q];
        sum_last(data, products, line);
        put_square(line, to);
      } else {
        T lines[d * d][last_classes][q];
#pragma unroll
        for (int n2 = 0; n2 < d * d; ++n2) clear(lines[n2]);
#pragma unroll
        for (int k = 0; k < q; ++k) {
          T line[classes][q];
          sum_last(data + q * k, products, line);
          add_second(line, k, lines);
        }
#pragma unroll
        for (int n2 = 0; n2 < d * d; ++n2) put_square(lines[n2], to + layout.row_pitch() * n2);
      }
    }
  }

  void store() const {
    if constexpr (dim == 2)
      store_singly<T, Stores, threads, 8>(a_, layout.written(), first_, shared_, thread_);
    else
      store_matrices<T, Stores, threads>(a_, layout.written(), first_, 0, shared_, thread_);
  }

 private:
  template <int a, class F>
  static void each_pair(const F& f) {
    pointwise::each_direction<(a + 2) * (a + 2)>([&](auto n) {
      constexpr int out = int(decltype(n)::value) % (a + 2), in = int(decltype(n)::value) / (a + 2);
      if constexpr (slots::present(a, out, in)) f.template operator()<out, in>();
    });
  }
  template <int n>
  static void clear(T (&line)[n][q]) {
#pragma unroll
    for (int c = 0; c < n; ++c)
#pragma unroll
      for (int k = 0; k < q; ++k) line[c][k] = T(0);
  }
  T function(bool slope, int k, int i) const { return constants_.at[(slope ? q * d : 0) + k + q * i]; }
  static constexpr bool is_twin(int out, int in) { return out > in && out <= level; }

  // Loops over more are not unrolled: the compiler would run out of registers for what it asks for early.
  static constexpr int few_points = q <= 4 ? q : 1, few_functions = d <= 4 ? d : 1;

  /// Of a line of points along the first direction: sums over the last direction, of each class.
  void sum_last(const T* data, const T* products, T (&line)[classes][q]) const {
    constexpr int below = layout.points_below();
    clear(line);
#pragma unroll few_points
    for (int k = 0; k < q; ++k) {
      T product[4];
#pragma unroll
      for (int kind = 0; kind < (slopes ? 4 : 1); ++kind) product[kind] = products[(kind * q + k) * pairs];
#pragma unroll
      for (int at = 0; at < q; ++at) {
        T own[factors];
#pragma unroll
        for (int f = 0; f < factors; ++f) own[f] = data[f * points + below * k + at];
        each_pair<level>([&]<int out, int in>() {
          if constexpr (!is_twin(out, in))
            each_pair<level + 1>([&]<int o, int i>() {
              if constexpr (slots::joins(level + 1, out, in, o, i))
                line[slots::number(level, out, in)][at] +=
                    product[2 * (o == dim - 1) + (i == dim - 1)] * own[slots::between(o, i).factor];
            });
        });
      }
    }
    // Where M is symmetric in the directions that remain.
    each_pair<level>([&]<int out, int in>() {
      if constexpr (is_twin(out, in)) {
#pragma unroll
        for (int at = 0; at < q; ++at)
          line[slots::number(level, out, in)][at] = line[slots::number(level, in, out)][at];
      }
    });
  }

  /// Point k of the second direction, with all pairs of its functions.
  template <int n>
  void add_second(const T (&line)[n][q], int k, T (&lines)[d * d][last_classes][q]) const {
#pragma unroll
    for (int j = 0; j < d; ++j)
#pragma unroll
      for (int at = 0; at < q; ++at) {
        T with_trial[3][2] = {};
        each_pair<1>([&]<int out, int in>() {
          with_trial[out][slots::merged(in, 1)] += function(in == 1, k, j) * line[slots::number(1, out, in)][at];
        });
#pragma unroll
        for (int i = 0; i < d; ++i)
          each_pair<1>([&]<int out, int in>() {
            // Once for those of one merged class.
            constexpr int to_out = slots::merged(out, 1), to_in = slots::merged(in, 1);
            if constexpr (in == to_in || !slots::present(1, out, to_in))
              lines[i + d * j][slots::number(0, to_out, to_in)][at] +=
                  function(out == 1, k, i) * with_trial[out][to_in];
          });
      }
  }

  /// The first direction: pairs (i,j) of its functions at [i + d j].
  void put_square(const T (&line)[last_classes][q], T* to) const {
#pragma unroll few_functions
    for (int j = 0; j < d; ++j) {
      T with_trial[2][q] = {};
      each_pair<0>([&]<int out, int in>() {
#pragma unroll
        for (int k = 0; k < q; ++k) with_trial[out][k] += function(in == 0, k, j) * line[slots::number(0, out, in)][k];
      });
#pragma unroll
      for (int i = 0; i < d; ++i) {
        T sum = 0;
        pointwise::each_direction<2>([&](auto o) {
          constexpr int out = int(decltype(o)::value);
          if constexpr (slots::present(0, out, 0) || slots::present(0, out, 1)) {
#pragma unroll
            for (int k = 0; k < q; ++k) sum += function(out == 0, k, i) * with_trial[out][k];
          }
        });
        to[i + d * j] = sum;
      }
    }
  }

  const arguments& a_;
  const tables& constants_;
  T* shared_;
  index_t first_ = 0;
  int thread_;
};

}  // namespace tessera::device
