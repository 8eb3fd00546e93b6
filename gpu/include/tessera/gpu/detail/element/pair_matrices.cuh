// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for the matrices B^T D B of a block's elements, for an operator of values only: each distinct
// number once. It is an ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/places.cuh>

namespace tessera::device {

/// M(i,j) is a sum over points of D times a product of functions for each direction, and only pairs {i_a, j_a} matter:
/// a matrix of d^2dim entries has (d (d + 1) / 2)^dim distinct ones. D is contracted with the pairs' products, one
/// direction after the other, the last one first; the products, in halves where functions mirror each other, are the
/// launch's constants.
///
///     D (q,q,q) -> (q,q, pairs) -> (q, pairs, pairs) -> staged (pairs, pairs, pairs) -> M, by a table of places
///
/// What `layout` says lies in shared memory. Stores: how 16 bytes are written to M.
template <class T, class Stored, class Form, class Shape, class Stores>
class pair_program {
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, points = power_of(q, dim), pairs = pairs_of(d);
  static constexpr matrix_tuning by = Shape::tuning;
  static constexpr bool packed = Shape::packed, mirrored = Form::mirrored;
  static_assert(Form::t == d && !Form::own_test, "the same functions on both sides");

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr pair_layout layout{{dim, d, q, int(sizeof(T)), packed, mirrored}, by};
  using value_type = T;
  using arguments = matrix_arguments<T>;
  using tables = table_constants<T, layout.units().entries()>;

 private:
  /// As numbers that no thread computes.
  struct units {
    static constexpr int even_points = layout.units().even_points();
    static constexpr int of(int i, int j) { return layout.units().of(i, j); }
    static constexpr int count() { return layout.units().count(); }
  };
  static constexpr int elements = by.elements, slices = layout.slices();
  static constexpr int last_pairs = layout.last_pairs(), staged_pitch = layout.staged_pitch();
  static_assert(elements == 1 || !by.sliced, "slices are of one matrix");

  static constexpr int most_units = 12;
  static constexpr int least(int a, int b) { return a < b ? a : b; }
  /// Lines along direction a, as numbers that no thread computes.
  template <int a>
  struct along {
    static constexpr int below = power_of(q, a), lines = layout.lines(a), above = layout.above(a);
    static constexpr int pitch = layout.pitch(a), place = a < dim - 1 ? layout.place(a) : 0;
    static constexpr bool last = a == dim - 1;
    static constexpr int room_of_part = (lines + 31) / 32 * 32, wanted = last && by.sliced ? d : units::count();
    // More than some units at once, and the compiler runs out of registers for them.
    static constexpr int least_parts = (wanted + most_units - 1) / most_units, most_parts = least(wanted, 8);
    static constexpr int parts =
        least(threads / room_of_part > least_parts ? threads / room_of_part : least_parts, most_parts);
    static constexpr int of_part = (wanted + parts - 1) / parts;
  };

 public:
  pair_program(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : a_(a), constants_(constants), shared_(shared), thread_(thread) {
    slice_ = by.sliced ? int(block % slices) : 0;
    first_ = block / slices * elements;
  }

  /// All steps in their order. step(f): every thread's program goes through f(program), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    if constexpr (dim > 2) step([](auto& s) { s.template sweep<2>(); });
    if constexpr (dim > 1) step([](auto& s) { s.template sweep<1>(); });
    step([](auto& s) { s.template sweep<0>(); });
    step([](auto& s) { s.store(); });
  }

  /// Direction a: the pairs' sums over each line's points. Warps share a line's pairs where there are few lines.
  template <int a>
  void sweep() const {
    using here = along<a>;
    for (int n = thread_; n < here::room_of_part * here::parts; n += threads) {
      const int line = n % here::room_of_part, point = line % here::below, above = line / here::below;
      if (line >= here::lines || !there(here::last ? above : above / (here::above / elements))) continue;
      T x[q];
      if constexpr (here::last) {
        const Stored* const from = static_cast<const Stored*>(a_.D) + ((a_.first + first_ + above) * points + point);
#pragma unroll
        for (int k = 0; k < q; ++k) x[k] = T(from[here::below * k]);
      } else {
        const T* const from = shared_ + (here::place + point + here::pitch * above);
#pragma unroll
        for (int k = 0; k < q; ++k) x[k] = from[here::below * k];
      }
      to_halves(x);
      put_sums<a>(x, n / here::room_of_part, point, above);
    }
  }

  /// The block's columns to M.
  void store() const { store_matrices<T, Stores, threads>(a_, layout, first_, slice_, shared_, thread_); }

 private:
  bool there(int element) const { return first_ + element < a_.count; }
  /// Part `part` of the pairs of a line x.
  template <int a>
  void put_sums(const T (&x)[q], int part, int point, int above) const {
    using here = along<a>;
    // Sums of neighbouring pairs are as far apart as lines of the next direction, or side by side.
    constexpr int next = a > 0 ? a - 1 : 0;
    constexpr int apart = a == 0 ? 1 : along<next>::pitch;
    constexpr int pitch = a == 0 ? staged_pitch : apart * (here::last ? last_pairs : pairs);
    T* const to = shared_ + ((a == 0 ? 0 : along<next>::place) + point + pitch * above);
    if constexpr (here::last && by.sliced) {
      const int begin = packed ? slice_ : 0, end = least(begin + (part + 1) * here::of_part, d);
#pragma unroll 1
      for (int i = begin + part * here::of_part; i < end; ++i) {
        const int low = least(i, slice_), high = i + slice_ - low;
        const bool upper = mirrored && high + low > d - 1;  // given as its mirror image
        const int n = upper ? units::of(d - 1 - low, d - 1 - high) : units::of(high, low);
        const T even = even_sum(x, n), odd = odd_sum(x, n);
        to[apart * (i - begin)] = upper ? even - odd : even + odd;
      }
    } else {
      // Which pairs a warp has is known to its compiler, and products are operands in the constant bank.
      pointwise::each_direction<here::parts>([&](auto own) {
        if (part == int(decltype(own)::value))
          put_units<here::of_part>(x, int(decltype(own)::value) * here::of_part, apart, to);
      });
    }
  }

  /// Units first .. first + of_part - 1, all of them known at compile time.
  template <int of_part>
  void put_units(const T (&x)[q], int first, int apart, T* to) const {
#pragma unroll
    for (int j = 0; j < d; ++j)
#pragma unroll
      for (int i = j; i < d; ++i) {
        const int n = units::of(i, j);
        if ((mirrored && i + j > d - 1) || n < first || n >= first + of_part) continue;
        const T even = even_sum(x, n), odd = odd_sum(x, n);
        to[apart * pair_of(i, j, d)] = even + odd;
        if (mirrored && i + j < d - 1) to[apart * pair_of(d - 1 - j, d - 1 - i, d)] = even - odd;
      }
  }
  /// x holds a line in halves: its even part, then the odd one.
  T even_sum(const T (&x)[q], int unit) const { return sum_of<0, units::even_points>(x, unit); }
  T odd_sum(const T (&x)[q], int unit) const { return sum_of<units::even_points, q>(x, unit); }
  template <int begin, int end>
  T sum_of(const T (&x)[q], int unit) const {
    T sum = 0;
#pragma unroll
    for (int k = begin; k < end; ++k) sum += constants_.at[k + q * unit] * x[k];
    return sum;
  }
  /// In place: x_k + x_{q-1-k} for k < ceil(q / 2), a middle one as it is, then x_k - x_{q-1-k}.
  static void to_halves(T (&x)[q]) {
    if constexpr (mirrored) {
      T halves[q];
#pragma unroll
      for (int k = 0; k < q / 2; ++k) {
        halves[k] = x[k] + x[q - 1 - k];
        halves[(q + 1) / 2 + k] = x[k] - x[q - 1 - k];
      }
      if constexpr (q % 2 == 1) halves[q / 2] = x[q / 2];
#pragma unroll
      for (int k = 0; k < q; ++k) x[k] = halves[k];
    }
  }

  const arguments& a_;
  const tables& constants_;
  T* shared_;
  index_t first_ = 0;
  int thread_, slice_ = 0;
};

}  // namespace tessera::device
