// SPDX-License-Identifier: BSD-3-Clause
// Instantiates the kernels that apply operators, for one instruction set and scalar type: one array element, one row.
#pragma once

#include <tessera/cpu/detail/element/evaluate.hpp>
#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/cpu/detail/row_set.hpp>
#include <tessera/element/operators.hpp>

namespace tessera::simd {

/// The sizes that a build compiles rows for: those of TESSERA_ELEMENT_ROWS, then the default sizes, then rows for any
/// size.
template <class T, row_set set, bool baseline, class Own>
struct compiled_element_sizes {
  /// Upper bounds. Orders: two operators, two dimensions, eight orders, and q = d, q = d collocated or q = d + 1. Any
  /// size: three dimensions, tables symmetric or not.
  static constexpr int most_orders = 2 * 2 * 8 * 3, most_any = 2 * 3 * operator_count,
                       most_own = int((sizeof(Own::f32) + sizeof(Own::f64)) / sizeof(element_size));

  int count = 0;
  element_size at[most_orders + most_any + most_own]{};

  constexpr compiled_element_sizes() {
    if constexpr (same_type<T, float>)
      add(Own::f32);
    else
      add(Own::f64);
    if (set == row_set::full) add_orders(1, 8, 1, 2, same_type<T, double> ? 2 : 3);
    if (set == row_set::demo) add_orders(1, 8, 2, 2, 3);
    if (set == row_set::wheel) add_orders(1, rows_of_wheel<T>.largest_order, 2, 2, rows_of_wheel<T>.least_dim);
    if (set == row_set::smoke) {
      add_orders(2, 2, 2, 2, same_type<T, double> ? 2 : 3);
      add_orders(3, 3, 1, 1, same_type<T, double> ? 2 : 3);
    }
    add_any_size(true);
    // The rows for tables without symmetry are slow on any instruction set: only the baseline has them.
    if (baseline) add_any_size(false);
  }

  /// Adds all but the last one, which only marks the end.
  template <int n>
  constexpr void add(const element_size (&own)[n]) {
    for (int i = 0; i + 1 < n; ++i) at[count++] = own[i];
  }
  /// Adds mass and diffusion, in double also collocated, for p = first .. last and q = p + fewest .. p + most.
  constexpr void add_orders(int first, int last, int fewest, int most, int least_dim) {
    for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
      for (int dim = least_dim; dim <= 3; ++dim)
        for (int p = first; p <= last; ++p)
          for (int more = fewest; more <= most; ++more) {
            const int d = p + 1, q = p + more;
            at[count++] = {kind, dim, d, q, d, false, true};
            if (same_type<T, double> && q == d) at[count++] = {kind, dim, d, q, d, true, true};
          }
  }
  constexpr void add_any_size(bool mirrored) {
    for (int dim = 1; dim <= 3; ++dim)
      for (const operator_kind kind : all_operator_kinds) at[count++] = {kind, dim, 0, 0, 0, false, mirrored};
  }
};

template <class Isa, class T, class Function, class Tables>
constexpr element_function<T> function_of_kernel() {
  using kernel = element_kernel<Isa, T, Function, Tables>;
  return {&kernel::run, &kernel::scratch, &kernel::steps};
}

/// A row for the sizes of `s`, or for any size if they are 0.
template <class Isa, class T, element_size s>
constexpr element_row<T> make_element_row() {
  using function = operator_function<s.kind, s.dim>;
  if constexpr (s.points > 0)
    return {s, function_of_kernel<Isa, T, function, fixed_tables<T, s.trial, s.points, s.test, s.nodal>>()};
  else
    return {s, function_of_kernel<Isa, T, function, run_time_tables<T, s.mirrored>>()};
}

template <class Row, int n>
struct row_list {
  static constexpr int size = n;
  Row rows[n];
};

/// A part's rows of one instruction set and type; `baseline` adds rows for tables without symmetry.
template <class Isa, class T, row_set set, bool baseline, class Own, class Part>
struct element_rows {
  static constexpr compiled_element_sizes<T, set, baseline, Own> sizes{};

  template <int... i>
  static constexpr auto make(sequence<i...>) {
    return row_list<element_row<T>, sizeof...(i)>{{make_element_row<Isa, T, sizes.at[Part::at(i)]>()...}};
  }
  static constexpr auto list = make(iota<Part::share(sizes.count)>{});
};

}  // namespace tessera::simd
