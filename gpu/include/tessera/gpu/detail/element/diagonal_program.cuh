// SPDX-License-Identifier: BSD-3-Clause
// What one thread does to compute the diagonals of the matrices B^T D B of a block's elements.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/diagonal_arguments.hpp>
#include <tessera/gpu/detail/element/diagonal_layout.hpp>
#include <tessera/gpu/detail/element/e_vector.cuh>

namespace tessera::device {

/// Sizes and tuning: <tessera/gpu/detail/element/diagonal_layout.hpp> says what the numbers mean.
/// `Dense`: by dense tables, in one direction.
template <int Directions, bool Dense, int Functions, int Points, int Elements, int Threads>
struct diagonal_form {
  static constexpr bool dense = Dense;
  static constexpr int directions = Directions, functions = Functions, points = Points;
  static constexpr diagonal_tuning tuning{Elements, Threads};
};

/// As the CPU's <tessera/cpu/detail/element/diagonal.hpp>: for each pair of what the function takes of u and gives to v
/// its factor at the points, times products of a test and a trial function, which are summed direction by direction:
///
///     factor (q,q,q) -> (d; q,q) -> (d,d; q) -> y (d,d,d)
///
/// Products of segments have a table each of value x value, value x slope, slope x value and slope x slope, the test
/// function first; dense tables one of each pair, in order. Storer: of the diagonals, see e_vector.cuh.
template <class T, class Stored, class Function, class Form, class Storer>
class diagonal_program {
  static constexpr int dim = Function::dim, parts = Function::trial.components, factors = Function::factors;
  static constexpr int directions = Form::directions, d = Form::functions, q = Form::points;
  static constexpr diagonal_layout layout{{directions, d, q, int(sizeof(T))}, Form::tuning};
  static constexpr int elements = Form::tuning.elements, points = layout.all_points(), size = layout.all_functions();
  static_assert(directions == (Form::dense ? 1 : dim));

 public:
  static constexpr int threads = Form::tuning.threads, shared_entries = layout.entries();
  using value_type = T;
  using arguments = diagonal_arguments<T, typename Storer::layout>;

  diagonal_program(const arguments& a, T* shared, index_t block, int thread)
      : a_(a), shared_(shared), first_(block * elements), thread_(thread) {}

  /// All steps in their order. step(f): every thread runs f(program), then comes a barrier of the block.
  template <class Step>
  static void in_order(const Step& step) {
    for (int c = 0; c < parts; ++c) {
      bool adds = false;
      pointwise::each_direction<dim + 1>([&](auto out) {
        pointwise::each_direction<dim + 1>([&](auto in) {
          constexpr int o = int(decltype(out)::value), i = int(decltype(in)::value);
          if constexpr (couplings<Function>::between(o, i).is_there()) {
            step([=](auto& s) { s.template put_factors<o, i>(c); });
            for (int a = 0; a < directions; ++a) {
              const int table = Form::dense ? o * (dim + 1) + i : 2 * int(o == a) + int(i == a);
              step([=](auto& s) { s.contract(a, table, adds); });
            }
            adds = true;
          }
        });
      });
      step([=](auto& s) { s.store(c); });
    }
  }

  // ---- Steps

  /// What component c of u's slot `in` gives to its slot `out` of v.
  template <int out, int in>
  void put_factors(int c) const {
    constexpr int alone = couplings<Function>::between(out, in).factor;
    for (int n = thread_; n < elements * points; n += threads) {
      const int e = n / points, k = n % points;
      if (first_ + e >= a_.count) return;
      const Stored* const D =
          static_cast<const Stored*>(a_.D) + (a_.first + first_ + e) * (index_t(points) * factors) + k;
      if constexpr (alone >= 0)
        shared_[n] = T(D[points * alone]);
      else
        shared_[n] = computed<out, in>(D, c);
    }
  }

  /// Sums over the points of direction a, of which those below it are done; y is the last one's result, `adds` to it.
  void contract(int a, int table, bool adds) const {
    const int low = diagonal_layout::power(d, a), all = layout.box(a + 1), before = layout.box(a);
    const T* const from = shared_ + (a % 2 == 0 ? 0 : elements * layout.even_box());
    T* const to = shared_ + (a + 1 == directions ? layout.y_place() : a % 2 == 0 ? elements * layout.even_box() : 0);
    const T* const entries = a_.tables + index_t(table) * (q * d);
    for (int n = thread_; n < elements * all; n += threads) {
      const int e = n / all, l = n % all % low, i = n % all / low % d, high = n % all / (low * d);
      if (first_ + e >= a_.count) return;
      const T* const line = from + e * before + l + low * q * high;
      T sum = 0;
      for (int k = 0; k < q; ++k) sum += entries[i + d * k] * line[low * k];
      to[n] = adds && a + 1 == directions ? to[n] + sum : sum;
    }
  }

  /// y of component c, and of those that have the same.
  void store(int c) const {
    const T* const sums = shared_ + layout.y_place();
    const bool add = false;
    const Storer y{a_.y, a_.y_layout, 0, add};
    for (int n = thread_; n < elements * size; n += threads) {
      const int e = n / size, i = n % size;
      if (first_ + e >= a_.count) return;
      for (int r = 0; r < a_.repeats; ++r) y.entries(a_.first + first_ + e, c + parts * r, 0).put(i, sums[n]);
    }
  }

 private:
  template <int out, int in>
  static T computed(const Stored* from, int c) {
    T D[factors];
#pragma unroll
    for (int f = 0; f < factors; ++f) D[f] = T(from[points * f]);
    at_point<T, parts, dim> u, v;
#pragma unroll
    for (int p = 0; p < parts; ++p) {
      u.value[p] = T(in == dim && p == c ? 1 : 0);
#pragma unroll
      for (int a = 0; a < dim; ++a) u.gradient[p][a] = T(in == a && p == c ? 1 : 0);
    }
    Function{}(u, D, v);
    T result = 0;
#pragma unroll
    for (int p = 0; p < parts; ++p)
      if (p == c) {
        if constexpr (out == dim)
          result = v.value[p];
        else
          result = v.gradient[p][out];
      }
    return result;
  }

  const arguments& a_;
  T* shared_;
  index_t first_;
  int thread_;
};

}  // namespace tessera::device
