// SPDX-License-Identifier: BSD-3-Clause
// The GPU's ways to make element matrices, each run on the host: what it is, the tables it takes, and its blocks.
#pragma once

#include "emulated_warp.hpp"
#include "matrix_errors.hpp"

#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/halved_matrices.cuh>
#include <tessera/gpu/detail/element/halved_tables.hpp>
#include <tessera/gpu/detail/element/held_matrices.cuh>
#include <tessera/gpu/detail/element/matrices.cuh>
#include <tessera/gpu/detail/element/pair_matrices.cuh>
#include <tessera/gpu/detail/element/pair_tables.hpp>
#include <tessera/gpu/detail/element/parity_matrices.cuh>
#include <tessera/gpu/detail/element/parity_tables.hpp>
#include <tessera/gpu/detail/element/product_tables.hpp>
#include <tessera/gpu/detail/element/strip_matrices.cuh>
#include <tessera/gpu/detail/element/strip_tables.hpp>
#include <tessera/gpu/detail/element/thread_matrices.cuh>

#include <type_traits>

namespace tessera::testing {

/// Sizes and tuning; each way takes what it has. Functions of order p - 1 of another basis for y where `own_test`.
struct way_sizes {
  int p = 1, q = 3;
  bool own_test = false, mirrored = true;
  int components = 1;
  bool packed = false;
  int way = matrix_way::held;
  bool sliced = false;
  int tiled = 0, waves = 0;
  bool along = false;
  int elements = 1, slices = 1, strips = 1, sharing = 1, staged = 2, columns = 1, threads = 32, pad = 0,
      pads = 1;  // `pad`: by parities

  constexpr matrix_tuning tuning_of(int of_way) const {
    const bool by_columns = of_way == matrix_way::columns;
    return {.way = of_way,
            .elements = elements,
            .threads = threads,
            .slices = slices,
            .strips = strips,
            .pad_line = by_columns ? pads : pad,
            .pad_plane = by_columns ? 3 * pads : 0,
            .sliced = sliced,
            .tiled = tiled,
            .waves = waves,
            .along = along,
            .at_once = 2,
            .staged = staged,
            .columns = columns,
            .sharing = sharing};
  }
  constexpr int d() const { return p + 1; }
  constexpr int t() const { return own_test ? p : p + 1; }
};

struct copied_stores {
  static void store(double* to, double from) { *to = from; }
  template <class T>
  static void store(T* to, const T* from) {
    std::copy_n(from, 16 / sizeof(T), to);
  }
};

/// Functions of u and of the test functions, at the points.
struct way_functions {
  fem::quadrature_rule rule;
  fem::basis trial, test;
  fem::basis_tables u = fem::tabulate(trial, rule), v = fem::tabulate(test, rule);

  explicit way_functions(const way_sizes& s)
      : rule(fem::gauss(s.q)),
        trial(fem::basis_kind::gauss_lobatto, s.p),
        test(s.own_test ? fem::basis(fem::basis_kind::bernstein, s.t() - 1) : trial) {}
};

/// What a launch takes besides D, M and the elements; empty where a way has none.
template <class T>
struct way_tables {
  std::vector<T> constants;
  device::place_table places;
  std::vector<T> in_memory;
};

/// What is the same in most ways. `whole`: all elements of a batch are computed too, unless it takes long.
template <class T, class Stored, class Function, way_sizes s>
struct way_of_sizes {
  using value_type = T;
  using stored = Stored;
  using function = Function;
  static constexpr way_sizes sizes = s;
  static constexpr int batch = 3, parts = 1;
  static constexpr bool by_warps = false, whole = true;
};

template <class Function, way_sizes s, bool mirrored>
using way_form = device::element_form<Function::dim, s.d(), s.q, s.t(), false, s.own_test, mirrored>;

/// As matrix_shape.
template <way_sizes s, int way>
struct way_shape {
  static constexpr int components = s.components;
  static constexpr bool packed = s.packed;
  static constexpr matrix_tuning tuning = s.tuning_of(way);
};

/// Column by column, of any operator.
template <class T, class Stored, class Function, way_sizes s>
struct by_columns : way_of_sizes<T, Stored, Function, s> {
  using shape = way_shape<s, matrix_way::columns>;
  using program = device::matrix_program<T, Stored, Function, way_form<Function, s, s.mirrored>, shape, copied_stores>;
  static constexpr int batch = 5, parts = program::layout.parts();

  static way_tables<T> tables(const way_functions& f) {
    constexpr bool slopes = Function::trial.gradient || Function::test.gradient;
    const element_kernel_facts facts{.dim = Function::dim,
                                     .trial = s.d(),
                                     .points = s.q,
                                     .test = s.t(),
                                     .of_trial = Function::trial,
                                     .of_test = Function::test,
                                     .factors = Function::factors};
    device::direction_tables of_direction{f.u.B, fem::differentiation_matrix(f.rule.points), f.v.B};
    if (s.q < s.d()) of_direction.gradients = f.u.G;
    if (s.q < s.t()) of_direction.test_gradients = f.v.G;
    return {.constants = device::constants_of<T>(facts, s.mirrored, s.own_test, slopes, of_direction)};
  }
};

/// Each distinct number of a mass matrix once.
template <class T, class Stored, int dim, way_sizes s>
struct by_pairs : way_of_sizes<T, Stored, pointwise::mass<dim>, s> {
  using shape = way_shape<s, matrix_way::distinct>;
  using program = device::pair_program<T, Stored, way_form<pointwise::mass<dim>, s, s.mirrored>, shape, copied_stores>;
  static constexpr int batch = 5, parts = program::layout.slices();

  static way_tables<T> tables(const way_functions& f) {
    return {device::constants_of_pairs<T>(program::layout.units(), f.u.B), device::places_of_pairs(program::layout)};
  }
};

/// Symmetric ones by lines in halves.
template <class Stored, class Function, way_sizes s>
struct by_halves : way_of_sizes<double, Stored, Function, s> {
  using shape = way_shape<s, matrix_way::halves>;
  using program = device::halved_program<Stored, Function, way_form<Function, s, true>, shape, copied_stores>;
  static constexpr int parts = program::layout.parts();
  static constexpr bool whole = s.p < 5;

  static way_tables<double> tables(const way_functions& f) {
    return {device::constants_of_halves(program::layout.units(), f.u.B, f.u.G),
            device::places_of_halves(program::layout)};
  }
};

/// Symmetric ones by pairs of the last direction: D in registers and products of warps, or a thread for each pair.
template <class Stored, class Function, way_sizes s>
struct by_products : way_of_sizes<double, Stored, Function, s> {
  static constexpr bool by_warps = s.way == matrix_way::held;
  using form = way_form<Function, s, false>;
  using shape = way_shape<s, s.way>;
  using program =
      std::conditional_t<by_warps,
                         device::held_program<emulated_products, Stored, Function, form, shape, copied_stores>,
                         device::thread_program<Stored, Function, form, shape, copied_stores>>;

  static way_tables<double> tables(const way_functions& f) {
    const std::vector<double> slopes = Function::trial.gradient ? f.u.G : std::vector<double>{};
    const device::product_fragments fragments(program::layout, f.u.B, f.u.G);
    return {device::constants_of_products(program::layout, f.u.B, slopes), device::places_of_products(program::layout),
            fragments.all()};
  }
};

/// Symmetric ones by strips. Each product switches from lane to lane of a warp, so elements are few: the others run on
/// a GPU.
template <class Stored, class Function, way_sizes s>
struct by_strips : way_of_sizes<double, Stored, Function, s> {
  using shape = way_shape<s, matrix_way::strips>;
  using program =
      device::strip_program<emulated_products, Stored, Function, way_form<Function, s, false>, shape, copied_stores>;
  static constexpr int parts = program::layout.parts();
  static constexpr bool by_warps = true, whole = s.p < 3;

  static way_tables<double> tables(const way_functions& f) {
    return {.in_memory = device::tables_of_strips(program::layout, f.u.B, f.u.G)};
  }
};

/// Symmetric ones by even and odd parts.
template <class Stored, class Function, way_sizes s>
struct by_parities : way_of_sizes<double, Stored, Function, s> {
  using shape = way_shape<s, matrix_way::parities>;
  using program = device::parity_program<Stored, Function, way_form<Function, s, true>, shape, copied_stores>;

  static way_tables<double> tables(const way_functions& f) {
    return {device::constants_of_parities(program::layout, f.u.B, f.u.G), device::places_of_parities(program::layout),
            device::products_of_parities(s.d(), s.q, f.u.B, f.u.G)};
  }
};

/// Steps of every block, threads or whole warps in ascending or descending order: were one to read what another one
/// writes in the same step, the two would differ. Lanes of a warp that multiply together run at once.
template <class Way>
void run_blocks(const typename Way::program::arguments& a, const typename Way::program::tables& tables,
                bool descending) {
  using T = typename Way::value_type;
  using program = typename Way::program;
  // One group more than there is: launches round up.
  const index_t blocks = ((a.count + Way::sizes.elements - 1) / Way::sizes.elements + 1) * Way::parts;
  for (index_t block = 0; block < blocks; ++block) {
    std::vector<T> memory(at(program::layout.entries() + 128 / index_t(sizeof(T))),
                          std::numeric_limits<T>::quiet_NaN());
    T* shared = memory.data();
    while (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0) ++shared;
    std::vector<program> all;
    for (int thread = 0; thread < program::threads; ++thread)
      all.emplace_back(a, tables, shared, block, descending && !Way::by_warps ? program::threads - 1 - thread : thread);
    program::in_order([&](const auto& step) {
      if constexpr (Way::by_warps) {
        for (int warp = 0; warp < program::threads / warp_size; ++warp) {
          const int now = descending ? program::threads / warp_size - 1 - warp : warp;
          run_warp([&](int lane) { step(all[std::size_t(warp_size * now + lane)]); });
        }
      } else {
        for (program& thread : all) step(thread);
      }
    });
  }
}

/// As worst_of_matrices, of elements first .. first + count - 1 of a batch.
template <class Way>
double worst_of_way(index_t first, index_t count, index_t behind) {
  using T = typename Way::value_type;
  using program = typename Way::program;
  const way_functions functions(Way::sizes);
  const way_tables<T> tables = Way::tables(functions);
  typename program::tables constants{};
  std::copy(tables.constants.begin(), tables.constants.end(), constants.at);
  const auto run = [&](const typename Way::stored* D, T* M, bool descending) {
    typename program::arguments a{.D = D, .M = M, .first = first, .count = count};
    a.places = {tables.places.at.data(), tables.places.pitch};
    a.tables = tables.in_memory.data();
    run_blocks<Way>(a, constants, descending);
  };
  return worst_of_matrices<T, typename Way::stored, typename Way::function>(
      {Way::batch, first, count, behind, Way::sizes.components, Way::sizes.packed}, functions.trial, functions.test,
      Way::sizes.q, run);
}

}  // namespace tessera::testing
