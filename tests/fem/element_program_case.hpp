// SPDX-License-Identifier: BSD-3-Clause
// An element kernel of the GPU on the host: every thread's program, phase by phase, against the definition.
#pragma once

#include "application_errors.hpp"
#include "emulated_warp.hpp"
#include "reference_element.hpp"

#include <tessera/gpu/detail/element/by_plane.cuh>
#include <tessera/gpu/detail/element/by_warp.cuh>
#include <tessera/gpu/detail/element/collocated.cuh>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/direct.cuh>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace tessera::testing {

/// The kernel's sizes; functions of order p - 1 of another basis for y where `own_test`.
struct program_sizes {
  int p = 1, q = 3;
  bool nodal = false, own_test = false, mirrored = true;
  int last = 0, elements = 1, prefetch = 0;
  bool several = false, unit = true, direct = false, staged = false, by_warp = false;
  bool by_plane = false;
  int packed = 0, together = 1, batches = 1;  // pieces begin anywhere between two multiples of 16 bytes

  constexpr int t() const { return own_test ? p : p + 1; }
};

template <bool by_warp, bool by_plane, bool direct, class Data>
struct program_here {
  using type = std::conditional_t<direct, device::direct_program<Data>, device::collocated_program<Data>>;
};
template <bool direct, class Data>
struct program_here<true, false, direct, Data> {
  using type = device::warp_program<emulated_products, Data>;
};
template <bool direct, class Data>
struct program_here<false, true, direct, Data> {
  using type = device::plane_program<Data>;
};

/// A kernel with those sizes, run on the host.
template <class T, class Stored, class Function, program_sizes s, class Loader, class Storer>
class program_run {
  static constexpr int dim = Function::dim, d = s.p + 1, q = s.q, t = s.t();
  using form = device::element_form<dim, d, q, t, s.nodal, s.own_test, s.mirrored>;
  static constexpr int side = form::side, lines = device::power_of(side, s.by_plane ? 1 : dim - 1);
  static constexpr int of_warp = side <= 4 ? 4 : 1;
  static constexpr int threads =
      s.by_warp ? s.elements / of_warp * 32 : (s.elements * s.together * lines + 31) / 32 * 32;
  // Some room between lines, planes and elements.
  static constexpr int line = side + 1, plane = line * side + 2,
                       element = dim == 3 ? plane * side + 3 : line * side + 3;
  using shape = device::element_shape<s.elements, threads, 1, s.last, s.prefetch, s.direct, s.staged, line, plane,
                                      element, s.by_warp, s.packed, s.together, s.batches, s.by_plane>;
  using data = device::stored_data<T, Stored, Function, form, shape, s.several, Loader, Storer>;
  using program = typename program_here<s.by_warp, s.by_plane, s.direct, data>::type;
  static constexpr index_t points = device::power_of(q, dim), factors = Function::factors;

 public:
  using arguments = typename program::arguments;

  static fem::quadrature_rule rule() { return s.nodal ? fem::gauss_lobatto(q) : fem::gauss(q); }
  static fem::basis trial_basis() { return fem::basis(fem::basis_kind::gauss_lobatto, s.p); }
  static fem::basis test_basis() { return s.own_test ? fem::basis(fem::basis_kind::bernstein, t - 1) : trial_basis(); }

  /// Threads of a phase in ascending or descending order: were one to read what another one writes in the same phase,
  /// the two would differ. Those of a warp that computes together run at once.
  static void run(const arguments& a, bool descending) {
    const element_kernel_facts facts{.dim = dim,
                                     .trial = d,
                                     .points = q,
                                     .test = t,
                                     .of_trial = Function::trial,
                                     .of_test = Function::test,
                                     .factors = factors,
                                     .nodal = s.nodal};
    const fem::basis_tables u = fem::tabulate(trial_basis(), rule()), v = fem::tabulate(test_basis(), rule());
    device::direction_tables tables{u.B, fem::differentiation_matrix(rule().points), v.B};
    if (q < d) tables.gradients = u.G;
    if (q < t) tables.test_gradients = v.G;
    const std::vector<T> constants = device::constants_of<T>(facts, s.mirrored, s.own_test, s.direct, tables);
    typename program::tables parameter;
    std::copy(constants.begin(), constants.end(), parameter.at);
    const Function function{};
    // One more than have elements: launches round up.
    for (index_t block = 0; (block - 1) * s.elements * s.batches < a.count; ++block) {
      const auto filled_with_nan = [](index_t n, auto value) {
        return std::vector<decltype(value)>(at(n), std::numeric_limits<decltype(value)>::quiet_NaN());
      };
      std::vector<T> shared = filled_with_nan(program::shared_entries, T()), vectors;
      // What is staged comes before it is read; of elements that are not there, nothing does.
      std::vector<Stored> staged = filled_with_nan(s.staged ? points * factors * s.elements : 0, Stored());
      if constexpr (s.packed > 0) {
        vectors = filled_with_nan(s.batches * program::vector_bytes / index_t(sizeof(T)), T());
        staged = filled_with_nan(s.staged ? s.batches * program::data_bytes / index_t(sizeof(Stored)) : 0, Stored());
      }
      std::vector<program> all;
      for (int thread = 0; thread < threads; ++thread)
        all.emplace_back(a, parameter, function, shared.data(), staged.data(), block,
                         descending && !s.by_warp ? threads - 1 - thread : thread);
      if constexpr (s.packed > 0) {
        for (program& thread : all) thread.set_vector_pieces(vectors.data());
        run_batches(all);
        continue;
      }
      const program& any = all.front();
      for (int e = 0; e < any.present() && s.staged; ++e)
        std::copy_n(any.data_of(e), points * factors, staged.data() + e * points * factors);
      for (int round = 0; round < all.front().rounds(); ++round) phase<0>(all, round);
    }
  }

 private:
  // In the place of the copy engine.
  template <class Piece>
  static void load(const Piece& p) {
    std::copy_n(p.global + p.head(), p.sixteens() * Piece::step, p.copy() + p.head());
  }
  template <class Piece>
  static void store(const Piece& p) {
    std::copy_n(p.copy() + p.head(), p.sixteens() * Piece::step, p.global + p.head());
  }
  static void run_batches(std::vector<program>& all) {
    constexpr bool engine = s.packed == 2;
    const bool stores = engine && !all.front().adds();
    for (int batch = 0; batch < s.batches && engine; ++batch) {
      load(all.front().x_piece(batch));
      if constexpr (s.staged) load(all.front().data_piece(batch));
    }
    for (program& thread : all) thread.load(engine);
    for (int batch = 0; batch < s.batches && all.front().present_in(batch) > 0; ++batch) {
      for (program& thread : all) thread.begin(batch);
      phase<0>(all, 0);
      if (stores) store(all.front().y_piece(batch));
      for (program& thread : all) thread.store(stores);
    }
  }
  template <int number>
  static void phase(std::vector<program>& all, int round) {
    if constexpr (s.by_warp)
      for (std::size_t first = 0; first < all.size(); first += warp_size)
        run_warp([&](int lane) { all[first + std::size_t(lane)].template run<number>(round); });
    else
      for (program& thread : all) thread.template run<number>(round);
    if constexpr (number + 1 < program::phases) phase<number + 1>(all, round);
  }
};

template <class T, class Stored, class Function, program_sizes s>
class program_case {
  using run =
      program_run<T, Stored, Function, s, device::e_vector_loader<T, s.unit>, device::e_vector_storer<T, s.unit>>;
  static constexpr index_t nx = device::power_of(s.p + 1, Function::dim), ny = device::power_of(s.t(), Function::dim);
  static constexpr index_t points = device::power_of(s.q, Function::dim);

 public:
  /// As worst_of_application.
  static double worst(index_t count, std::vector<index_t> which, bool listed, bool add) {
    const reference_element<Function> reference(run::trial_basis(), run::test_basis(), run::rule());
    double worst = 0;
    // Pieces may begin anywhere between two multiples of 16 bytes.
    for (index_t shift = 0; shift < (s.packed > 0 ? 16 / index_t(sizeof(T)) : 1); ++shift) {
      const application_sizes sizes{nx,     ny,    points,   s.several ? 2 : s.together, s.several ? 2 : 1,
                                    s.unit, shift, shift + 1};
      worst = std::max(
          worst, worst_of_application<T, Stored, Function>(sizes, reference, count, which, listed, add, &run::run));
    }
    return worst;
  }
};

}  // namespace tessera::testing
