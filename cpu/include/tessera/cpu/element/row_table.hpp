// SPDX-License-Identifier: BSD-3-Clause
// Instantiates the element kernels of one instruction set and scalar type: one array element, one row.
#pragma once

#include <tessera/cpu/element/at_points.hpp>
#include <tessera/cpu/element/dense.hpp>
#include <tessera/cpu/element/diagonal.hpp>
#include <tessera/cpu/element/direct.hpp>
#include <tessera/cpu/element/evaluate.hpp>
#include <tessera/cpu/element/mass_matrices.hpp>
#include <tessera/cpu/element/rows.hpp>
#include <tessera/cpu/element/transfer.hpp>
#include <tessera/element/geometry_factors.hpp>
#include <tessera/element/pointwise.hpp>

namespace tessera::simd {

/// The struct of an operator's pointwise function.
template <operator_kind kind, int dim>
struct function_type;
template <int dim>
struct function_type<operator_kind::mass, dim> {
  using type = pointwise::mass<dim>;
};
template <int dim>
struct function_type<operator_kind::diffusion, dim> {
  using type = pointwise::diffusion<dim>;
};
template <int dim>
struct function_type<operator_kind::helmholtz, dim> {
  using type = pointwise::helmholtz<dim>;
};
template <int dim>
struct function_type<operator_kind::convection, dim> {
  using type = pointwise::convection<dim>;
};
template <int dim>
struct function_type<operator_kind::elasticity, dim> {
  using type = pointwise::elasticity<dim>;
};

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

  template <class Function, class Tables>
  static constexpr element_function<T> function() {
    using kernel = element_kernel<Isa, T, Function, Tables>;
    return {&kernel::run, &kernel::scratch, &kernel::steps};
  }

  /// A row for the sizes of `s`, or for any where they are 0.
  template <element_size s>
  static constexpr element_row<T> row() {
    using pointwise_function = typename function_type<s.kind, s.dim>::type;
    if constexpr (s.points > 0)
      return {s, function<pointwise_function, fixed_tables<T, s.trial, s.points, s.test, s.nodal>>()};
    else
      return {s, function<pointwise_function, run_time_tables<T, s.mirrored>>()};
  }
  /// Of these sizes, or any where they are 0.
  template <int dim, index_t d = 0, index_t q = 0>
  static constexpr mass_matrix_row<T> mass_matrices() {
    using kernel = mass_matrix_kernel<Isa, T, dim, d, q>;
    return {dim, d, q, &kernel::run, &kernel::scratch, &kernel::steps, &kernel::place_column};
  }
  template <operator_kind kind, int dim>
  static constexpr diagonal_row<T> diagonals() {
    using kernel = diagonal_kernel<Isa, T, typename function_type<kind, dim>::type>;
    return {kind, dim, &kernel::run, &kernel::scratch};
  }
  template <int dim, bool mirrored>
  static constexpr jacobian_row<T> jacobian() {
    return {dim, mirrored, function<all_derivatives<dim>, run_time_tables<T, mirrored>>()};
  }

  template <operator_kind kind, int dim>
  [[gnu::flatten]] static void factors(const factors_block<T>& b) {
    using formula = geometry::factors<kind, dim>;
    constexpr int most = geometry::most_coefficients(kind, dim);
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
    return {kind, dim, &function_at_points<Isa, T, typename function_type<kind, dim>::type, true>::run};
  }

  template <int dim>
  static void determinants_in(const T* J, index_t points, T* det) {
    for (index_t k = 0; k < points; ++k) {
      vector Jk[dim][dim], A[dim][dim];
      pointwise::each_direction<dim>([&](auto i) {
        pointwise::each_direction<dim>(
            [&](auto a) { Jk[i][a] = vector::load_aligned(J + (k * dim * dim + a + dim * i) * lanes); });
      });
      geometry::adjugate(Jk, A).store_aligned(det + k * lanes);
    }
  }
  [[gnu::flatten]] static void determinants(int dim, const T* J, index_t points, T* det) {
    if (dim == 1) determinants_in<1>(J, points, det);
    if (dim == 2) determinants_in<2>(J, points, det);
    if (dim == 3) determinants_in<3>(J, points, det);
  }

  [[gnu::flatten]] static void widen(const float* from, index_t vectors, T* to) {
    for (index_t i = 0; i < vectors * lanes; ++i) to[i] = T(from[i]);
  }
};

// ---- Tables of rows

template <class Row, int n>
struct row_list {
  static constexpr int size = n;
  Row rows[n];
};

/// The sizes that a build compiles rows for.
template <class T, bool full>
struct compiled_element_sizes {
  static constexpr int most = 96;
  int count = 0;
  element_size at[most]{};

  constexpr compiled_element_sizes() {
    for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
      for (int dim = same_type<T, double> ? 2 : 3; dim <= 3; ++dim)
        for (int p = full ? 1 : 2; p <= (full ? 8 : 3); ++p)
          for (int more = 1; more <= 2; ++more) {
            const int d = p + 1, q = p + more;
            if (!full && more + p != 4) continue;
            at[count++] = {kind, dim, d, q, d, false, true};
            if (same_type<T, double> && q == d) at[count++] = {kind, dim, d, q, d, true, true};
          }
  }
};

template <class Isa, class T, bool full>
constexpr auto element_rows_of_fixed_size() {
  constexpr compiled_element_sizes<T, full> sizes;
  return []<int... i>(sequence<i...>) {
    constexpr compiled_element_sizes<T, full> s;
    return row_list<element_row<T>, sizeof...(i)>{{element_table<Isa, T>::template row<s.at[i]>()...}};
  }
  (iota<sizes.count>{});
}

/// Every operator in every number of dimensions, for any sizes.
template <class Isa, class T, bool mirrored>
constexpr auto element_rows_of_any_size() {
  return []<int... i>(sequence<i...>) {
    return row_list<element_row<T>, sizeof...(i)>{{element_table<Isa, T>::template row<element_size{
        all_operator_kinds[i % 5], 1 + i / 5, 0, 0, 0, false, mirrored}>()...}};
  }
  (iota<15>{});
}

template <class Row, int n, int m>
constexpr row_list<Row, n + m> operator+(const row_list<Row, n>& a, const row_list<Row, m>& b) {
  row_list<Row, n + m> all{};
  for (int i = 0; i < n; ++i) all.rows[i] = a.rows[i];
  for (int i = 0; i < m; ++i) all.rows[n + i] = b.rows[i];
  return all;
}

/// Behind the rows that a user asked the build for: those of the sizes in `Own`, the last of which is none.
template <class Isa, class T, class Own, class Others>
constexpr auto behind_own_rows(const Others& others) {
  constexpr auto& sizes = []() -> auto& {
    if constexpr (same_type<T, float>)
      return Own::f32;
    else
      return Own::f64;
  }
  ();
  constexpr int count = int(sizeof(sizes) / sizeof(sizes[0])) - 1;
  if constexpr (count == 0)
    return others;
  else
    return []<int... i>(sequence<i...>) {
      return row_list<element_row<T>, count>{{element_table<Isa, T>::template row<sizes[i]>()...}};
    }
  (iota<count>{}) + others;
}

/// In 3-D and double those of few functions, of which sums are short; then those of any sizes.
template <class Isa, class T, bool full, bool baseline>
constexpr auto mass_matrices_of() {
  using table = element_table<Isa, T>;
  constexpr row_list<mass_matrix_row<T>, 3> any{
      {table::template mass_matrices<1>(), table::template mass_matrices<2>(), table::template mass_matrices<3>()}};
  if constexpr (baseline || same_type<T, float>)
    return any;
  else
    return []<int... i>(sequence<i...>) {
      constexpr int first = full ? 2 : 3;
      return row_list<mass_matrix_row<T>, sizeof...(i)>{
          {table::template mass_matrices<3, first + i / 2, first + i / 2 + i % 2>()...}};
    }
  (iota<(full ? 8 : 4)>{}) + any;
}

/// Everything of one instruction set and type; `baseline` adds what needs no table to mirror itself.
template <class Isa, class T, bool full, bool baseline, class Own>
struct element_kernel_table {
  using table = element_table<Isa, T>;
  static constexpr auto rows_of() {
    if constexpr (baseline)
      return behind_own_rows<Isa, T, Own>(element_rows_of_any_size<Isa, T, true>() +
                                          element_rows_of_any_size<Isa, T, false>());
    else
      return behind_own_rows<Isa, T, Own>(element_rows_of_fixed_size<Isa, T, full>() +
                                          element_rows_of_any_size<Isa, T, true>());
  }
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
          {table::template diagonals<all_operator_kinds[i % 5], 1 + i / 5>()...}};
    }
    (iota<15>{});
  }
  static constexpr auto factors_of() {
    return []<int... i>(sequence<i...>) {
      return row_list<factors_row<T>, sizeof...(i)>{
          {table::template factors_of_kind<all_operator_kinds[i % 5], 1 + i / 5>()...}};
    }
    (iota<15>{});
  }
  static constexpr auto points_of() {
    return []<int... i>(sequence<i...>) {
      return row_list<points_row<T>, sizeof...(i)>{
          {table::template points_of_kind<all_operator_kinds[i % 5], 1 + i / 5>()...}};
    }
    (iota<15>{});
  }

  static constexpr auto rows = rows_of();
  static constexpr auto matrices = mass_matrices_of<Isa, T, full, baseline>();
  static constexpr auto diagonals = diagonals_of();
  static constexpr auto jacobians = jacobians_of();
  static constexpr auto factors = factors_of();
  static constexpr auto points = points_of();
  static constexpr element_kernels<T> kernels{Isa::name,
                                              int(table::lanes),
                                              int(table_width<Isa, T>),
                                              rows.rows,
                                              matrices.rows,
                                              diagonals.rows,
                                              jacobians.rows,
                                              factors.rows,
                                              &table::determinants,
                                              &transfer<Isa, T>::gather,
                                              &transfer<Isa, T>::scatter,
                                              &transfer<Isa, T>::stream,
                                              &Isa::end_stream,
                                              &table::widen,
                                              {&direct_kernel<Isa, T>::run, nullptr, &direct_kernel<Isa, T>::steps},
                                              {&dense_kernel<Isa, T>::run, &dense_kernel<Isa, T>::column},
                                              points.rows};
};

}  // namespace tessera::simd
