// SPDX-License-Identifier: BSD-3-Clause
// The 1-D tables of a fused element kernel with what is known of them when it is compiled.
#pragma once

#include <tessera/cpu/detail/element/line.hpp>
#include <tessera/detail/element/evaluation_tables.hpp>

namespace tessera::simd {

/// Every size known: d trial functions, q points and t test functions a direction. Tables mirror themselves. Where
/// `nodal` the functions are the Lagrange polynomials of the points, and nothing is interpolated.
template <class T, index_t d, index_t q, index_t t, bool nodal>
struct fixed_tables {
  static constexpr bool interpolates = !nodal;
  static constexpr int most_points = int(q), most_functions = int(d > t ? d : t);
  static constexpr constant<d> trial{};
  static constexpr constant<q> points{};
  static constexpr constant<t> test{};

  const evaluation_tables<T>& given;

  auto interpolate() const { return halves<1>(given.interpolate, points, trial); }
  auto differentiate() const { return halves<-1>(given.differentiate, points, points); }
  auto differentiate_transposed() const { return halves<-1>(given.differentiate_transposed, points, points); }
  auto test_transposed() const { return halves<1>(given.test_transposed, test, points); }

 private:
  template <int sign, class M, class N>
  static auto halves(const line_table<T>& table, M m, N n) {
    return mirrored_table<T, sign, M, N>{table.even, table.odd, m, n};
  }
};

/// Sizes of run time; `mirrored` says whether the tables are given in halves.
template <class T, bool mirrored>
struct run_time_tables {
  static constexpr bool interpolates = true;
  static constexpr int most_points = longest_line, most_functions = longest_line;

  const evaluation_tables<T>& given;
  index_t trial = given.interpolate.n, points = given.interpolate.m, test = given.test_transposed.m;

  auto interpolate() const { return form<1>(given.interpolate); }
  auto differentiate() const { return form<-1>(given.differentiate); }
  auto differentiate_transposed() const { return form<-1>(given.differentiate_transposed); }
  auto test_transposed() const { return form<1>(given.test_transposed); }

 private:
  template <int sign>
  static auto form(const line_table<T>& table) {
    if constexpr (mirrored)
      return mirrored_table<T, sign, index_t, index_t>{table.even, table.odd, table.m, table.n};
    else
      return dense_table<T>{table.whole, table.m, table.n};
  }
};

}  // namespace tessera::simd
