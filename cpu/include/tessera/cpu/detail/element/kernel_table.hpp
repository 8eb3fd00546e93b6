// SPDX-License-Identifier: BSD-3-Clause
// Instantiates what element operators need beside the kernels that apply them: matrices, diagonals, geometry, transfer.
#pragma once

#include <algorithm>
#include <limits>

#include <tessera/cpu/detail/element/at_points.hpp>
#include <tessera/cpu/detail/element/dense.hpp>
#include <tessera/cpu/detail/element/diagonal.hpp>
#include <tessera/cpu/detail/element/direct.hpp>
#include <tessera/cpu/detail/element/mass_matrices.hpp>
#include <tessera/cpu/detail/element/row_table.hpp>
#include <tessera/cpu/detail/element/transfer.hpp>
#include <tessera/detail/element/geometry_factors.hpp>

namespace tessera::simd {

/// The derivatives of dim fields at the points, number a + dim c being that of field c in direction a.
template <int dimension>
struct all_derivatives {
  static constexpr int dim = dimension, factors = 0, outputs = dimension * dimension;
  static constexpr point_shape trial{.components = dimension, .gradient = true}, test{.components = 0};
  template <class S, class Put>
  constexpr void operator()(const at_point<S, dim, dim>& u, const Put& put) const {
    for (int c = 0; c < dim; ++c)
      for (int a = 0; a < dim; ++a) put(a + dim * c, u.gradient[c][a]);
  }
};

template <class Isa, class T>
struct element_table {
  using vector = typename Isa::template vector<T>;
  static constexpr index_t lanes = index_t(vector::size);

  /// Of these sizes, or any where they are 0.
  template <int dim, index_t d = 0, index_t q = 0>
  static constexpr mass_matrix_row<T> mass_matrices() {
    using kernel = mass_matrix_kernel<Isa, T, dim, d, q>;
    return {dim, d, q, &kernel::run, &kernel::scratch, &kernel::steps, &kernel::place_column};
  }
  template <operator_kind kind, int dim>
  static constexpr diagonal_row<T> diagonals() {
    using kernel = diagonal_kernel<Isa, T, operator_function<kind, dim>>;
    return {kind, dim, &kernel::run, &kernel::scratch};
  }
  template <int dim, bool mirrored>
  static constexpr jacobian_row<T> jacobian() {
    return {dim, mirrored, function_of_kernel<Isa, T, all_derivatives<dim>, run_time_tables<T, mirrored>>()};
  }

  template <operator_kind kind, int dim>
  [[gnu::flatten]] static void factors(const factors_block<T>& b) {
    using formula = geometry::factors<kind, dim>;
    constexpr int most = operator_function<kind, dim>::coefficients.most;
    vector c[most];
    if (!b.varying)
      for (int i = 0; i < b.given; ++i) c[i] = vector(b.coefficients[i]);
    for (index_t k = 0; k < b.points; ++k) {
      if (b.varying)
        for (int i = 0; i < b.given; ++i) c[i] = vector::load_aligned(b.coefficients + (k * b.given + i) * lanes);
      vector J[dim][dim], D[formula::outputs];
      pointwise::each_direction<dim>([&](auto i) {
        pointwise::each_direction<dim>(
            [&](auto a) { J[i][a] = vector::load_aligned(b.J + (k * dim * dim + a + dim * i) * lanes); });
      });
      formula::compute(J, vector(b.weights[k]), c, b.given, D);
      for (int f = 0; f < formula::outputs; ++f) D[f].store_aligned(b.D + (k * formula::outputs + f) * lanes);
    }
  }
  template <operator_kind kind, int dim>
  static constexpr factors_row<T> factors_of_kind() {
    return {kind, dim, &factors<kind, dim>};
  }

  template <operator_kind kind, int dim>
  static constexpr points_row<T> points_of_kind() {
    return {kind, dim, &function_at_points<Isa, T, operator_function<kind, dim>, true>::run};
  }

  template <int dim>
  static jacobian_range<T> range_in(const T* J, index_t points) {
    auto positive = vector(T(1)) > vector(T(0));
    vector least(std::numeric_limits<T>::max()), most(T(0)), entry(T(0));
    for (index_t k = 0; k < points; ++k) {
      vector Jk[dim][dim], A[dim][dim], row[dim];  // rows by themselves: one long chain of maxima would be waited for
      pointwise::each_direction<dim>([&](auto i) {
        row[i] = vector(T(0));
        pointwise::each_direction<dim>([&](auto a) {
          Jk[i][a] = vector::load_aligned(J + (k * dim * dim + a + dim * i) * lanes);
          row[i] = max(row[i], abs(Jk[i][a]));
        });
      });
      pointwise::each_direction<dim - 1>([&](auto i) { row[0] = max(row[0], row[i + 1]); });
      entry = max(entry, row[0]);
      const vector det = geometry::adjugate(Jk, A);
      positive =
          positive & (det >= vector(std::numeric_limits<T>::min())) & (det <= vector(std::numeric_limits<T>::max()));
      least = min(least, det);
      most = max(most, det);
    }
    alignas(64) T low[lanes], high[lanes], size[lanes];
    least.store_aligned(low);
    most.store_aligned(high);
    entry.store_aligned(size);
    jacobian_range<T> range{.positive = all(positive), .least = low[0], .most = high[0], .entry = size[0]};
    for (index_t w = 1; w < lanes; ++w) {
      range.least = std::min(range.least, low[w]);
      range.most = std::max(range.most, high[w]);
      range.entry = std::max(range.entry, size[w]);
    }
    return range;
  }
  [[gnu::flatten]] static jacobian_range<T> range_of(int dim, const T* J, index_t points) {
    return dim == 1 ? range_in<1>(J, points) : dim == 2 ? range_in<2>(J, points) : range_in<3>(J, points);
  }

  [[gnu::flatten]] static void widen(const float* from, index_t vectors, T* to) {
    for (index_t i = 0; i < vectors * lanes; ++i) to[i] = T(from[i]);
  }
};

// ---- Tables of rows

template <class Row, int n, int m>
constexpr row_list<Row, n + m> operator+(const row_list<Row, n>& a, const row_list<Row, m>& b) {
  row_list<Row, n + m> all{};
  for (int i = 0; i < n; ++i) all.rows[i] = a.rows[i];
  for (int i = 0; i < m; ++i) all.rows[n + i] = b.rows[i];
  return all;
}

/// In 3-D and double those of few functions, of which sums are short; then those of any sizes.
template <class Isa, class T, row_set set>
constexpr auto mass_matrices_of() {
  using table = element_table<Isa, T>;
  constexpr row_list<mass_matrix_row<T>, 3> any{
      {table::template mass_matrices<1>(), table::template mass_matrices<2>(), table::template mass_matrices<3>()}};
  if constexpr (set == row_set::none || set == row_set::wheel || same_type<T, float>)
    return any;
  else
    return []<int... i>(sequence<i...>) {
      // One point more than functions; of what is shipped, as many points as functions too.
      constexpr int first = set == row_set::smoke ? 3 : 2, each = set == row_set::demo ? 1 : 2;
      return row_list<mass_matrix_row<T>, sizeof...(i)>{
          {table::template mass_matrices<3, first + i / each, first + i / each + (each == 1 ? 1 : i % 2)>()...}};
    }
  (iota<(set == row_set::full ? 8 : 4)>{}) + any;
}

/// Everything of one instruction set and type but the rows that apply operators; `baseline` adds what needs no table to
/// mirror itself.
template <class Isa, class T, row_set set, bool baseline>
struct element_kernel_table {
  using table = element_table<Isa, T>;
  static constexpr auto jacobians_of() {
    constexpr row_list<jacobian_row<T>, 3> mirrored{{table::template jacobian<1, true>(),
                                                     table::template jacobian<2, true>(),
                                                     table::template jacobian<3, true>()}};
    if constexpr (baseline)
      return mirrored +
             row_list<jacobian_row<T>, 3>{{table::template jacobian<1, false>(), table::template jacobian<2, false>(),
                                           table::template jacobian<3, false>()}};
    else
      return mirrored;
  }
  static constexpr auto diagonals_of() {
    return []<int... i>(sequence<i...>) {
      return row_list<diagonal_row<T>, sizeof...(i)>{
          {table::template diagonals<operator_kind(i % operator_count), 1 + i / operator_count>()...}};
    }
    (iota<3 * operator_count>{});
  }
  static constexpr auto factors_of() {
    return []<int... i>(sequence<i...>) {
      return row_list<factors_row<T>, sizeof...(i)>{
          {table::template factors_of_kind<operator_kind(i % operator_count), 1 + i / operator_count>()...}};
    }
    (iota<3 * operator_count>{});
  }
  static constexpr auto points_of() {
    return []<int... i>(sequence<i...>) {
      return row_list<points_row<T>, sizeof...(i)>{
          {table::template points_of_kind<operator_kind(i % operator_count), 1 + i / operator_count>()...}};
    }
    (iota<3 * operator_count>{});
  }

  static constexpr auto matrices = mass_matrices_of<Isa, T, set>();
  static constexpr auto diagonals = diagonals_of();
  static constexpr auto jacobians = jacobians_of();
  static constexpr auto factors = factors_of();
  static constexpr auto points = points_of();
  static constexpr element_kernels<T> kernels{
      Isa::name,
      int(table::lanes),
      int(table_width<Isa, T>),
      {},
      matrices.rows,
      diagonals.rows,
      jacobians.rows,
      factors.rows,
      &table::range_of,
      &transfer<Isa, T>::gather,
      &transfer<Isa, T>::scatter,
      &transfer<Isa, T>::stream,
      &Isa::end_stream,
      {&transfer<Isa, T>::template take<std::uint16_t>, &transfer<Isa, T>::template add_to_slots<std::uint16_t>},
      {&transfer<Isa, T>::template take<std::uint32_t>, &transfer<Isa, T>::template add_to_slots<std::uint32_t>},
      &transfer<Isa, T>::add_dots,
      &table::widen,
      {&direct_kernel<Isa, T>::run, nullptr, &direct_kernel<Isa, T>::steps},
      {&dense_kernel<Isa, T>::run, &dense_kernel<Isa, T>::column},
      points.rows};
};

}  // namespace tessera::simd
