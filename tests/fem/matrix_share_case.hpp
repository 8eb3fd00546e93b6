// SPDX-License-Identifier: BSD-3-Clause
// The element matrix kernel of the GPU on the host: every thread's share, step by step, against the definition.
#pragma once

#include "matrix_errors.hpp"

#include <tessera/gpu/element/constants.hpp>
#include <tessera/gpu/element/matrices.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::testing {

/// Sizes and tuning; functions of order p - 1 of another basis for y where `own_test`.
struct matrix_case_sizes {
  int p = 1, q = 3;
  bool own_test = false, mirrored = true;
  int components = 1;
  bool packed = false;
  int elements = 1, slices = 1, strips = 1, threads = 32, pad = 1;

  constexpr int t() const { return own_test ? p : p + 1; }
};

struct plain_stores {
  template <class T>
  static void store(T* to, const T* from) {
    std::copy_n(from, 16 / sizeof(T), to);
  }
};

template <class T, class Stored, class Function, matrix_case_sizes s>
class matrix_share_case {
  static constexpr int dim = Function::dim, d = s.p + 1, q = s.q, t = s.t();
  using form = device::element_form<dim, d, q, t, false, s.own_test, s.mirrored>;
  using shape =
      device::matrix_shape<s.components, s.packed, s.elements, s.slices, s.strips, s.threads, 1, s.pad, 3 * s.pad>;
  using share = device::matrix_share<T, Stored, Function, form, shape, plain_stores>;

 public:
  /// As worst_of_matrices, of elements first .. first + count - 1 of `all`.
  static double worst(index_t all, index_t first, index_t count, index_t behind) {
    return worst_of_matrices<T, Stored, Function>({all, first, count, behind, s.components, s.packed}, trial_basis(),
                                                  test_basis(), q, [&](const Stored* D, T* M, bool descending) {
                                                    run({.D = D, .M = M, .first = first, .count = count}, descending);
                                                  });
  }

 private:
  static std::size_t at(index_t i) { return std::size_t(i); }
  static fem::basis trial_basis() { return fem::basis(fem::basis_kind::gauss_lobatto, s.p); }
  static fem::basis test_basis() { return s.own_test ? fem::basis(fem::basis_kind::bernstein, t - 1) : trial_basis(); }

  // Threads of a step in ascending or descending order: were one to read what another one writes in the same step, the
  // two would differ.
  static void run(const device::matrix_arguments<T>& a, bool descending) {
    constexpr bool slopes = Function::trial.gradient || Function::test.gradient;
    const fem::quadrature_rule rule = fem::gauss(q);
    const element_kernel_facts facts{.dim = dim,
                                     .trial = d,
                                     .points = q,
                                     .test = t,
                                     .of_trial = Function::trial,
                                     .of_test = Function::test,
                                     .factors = Function::factors};
    const fem::basis_tables u = fem::tabulate(trial_basis(), rule), v = fem::tabulate(test_basis(), rule);
    device::direction_tables of_direction{u.B, fem::differentiation_matrix(rule.points), v.B};
    if (q < d) of_direction.gradients = u.G;
    if (q < t) of_direction.test_gradients = v.G;
    const std::vector<T> constants = device::constants_of<T>(facts, s.mirrored, s.own_test, slopes, of_direction);
    typename share::tables tables;
    std::copy(constants.begin(), constants.end(), tables.at);
    const index_t groups = (a.count + s.elements - 1) / s.elements;
    // One more: launches round up.
    for (index_t block = 0; block < groups * share::room.parts() + 1; ++block) {
      std::vector<T> memory(at(share::room.entries() + 128 / index_t(sizeof(T))), std::numeric_limits<T>::quiet_NaN());
      T* shared = memory.data();
      while (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0) ++shared;
      std::vector<share> all;
      for (int thread = 0; thread < s.threads; ++thread)
        all.emplace_back(a, tables, shared, block, descending ? s.threads - 1 - thread : thread);
      share::in_order([&](const auto& step) {
        for (share& thread : all) step(thread);
      });
    }
  }
};

}  // namespace tessera::testing
