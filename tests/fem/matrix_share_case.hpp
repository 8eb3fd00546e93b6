// SPDX-License-Identifier: BSD-3-Clause
// The element matrix kernel of the GPU on the host: every thread's share, step by step, against the definition.
#pragma once

#include "mass_checks.hpp"
#include "reference_element.hpp"

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
  static constexpr int parts = Function::trial.components;
  static constexpr index_t nx = device::power_of(d, dim), ny = device::power_of(t, dim);
  static constexpr index_t points = device::power_of(q, dim), factors = Function::factors;
  static constexpr index_t rows = ny * s.components, columns = nx * s.components;
  static constexpr index_t entries = s.packed ? rows * (rows + 1) / 2 : rows * columns;

 public:
  /// Of elements first .. first + count - 1 of `all`, into memory that begins `behind` entries after a multiple of 128
  /// bytes; the worst entry's error, 1 being what rounding may do. Whatever is written that should not be, is not
  /// written, or differs when threads take turns in another order, counts as infinite.
  static double worst(index_t all, index_t first, index_t count, index_t behind) {
    const std::vector<Stored> D = seeded<Stored>(points * factors * all, 8);
    constexpr index_t line = 128 / sizeof(T);
    const std::vector<T> before(at(entries * count + 3 * line), T(-12345));
    std::vector<T> forth = before, back = before;
    const auto start = [&](std::vector<T>& in) {
      const auto off = index_t(reinterpret_cast<std::uintptr_t>(in.data()) % 128 / sizeof(T));
      return (line - off) % line + behind;
    };
    run({.D = D.data(), .M = forth.data() + start(forth), .first = first, .count = count}, false);
    run({.D = D.data(), .M = back.data() + start(back), .first = first, .count = count}, true);

    double worst = 0;
    const auto count_off = [&](T got, T again, long double wanted, long double bound) {
      const long double off = std::abs((long double)got - wanted);
      worst = got == again && off <= bound ? std::max(worst, bound > 0 ? double(off / bound) : 0.0)
                                           : std::numeric_limits<double>::infinity();
    };
    const T *const M = forth.data() + start(forth), *const again = back.data() + start(back);
    const reference_element<Function> reference(trial_basis(), test_basis(), fem::gauss(q));
    std::vector<double> own(at(points * factors)), x(at(nx * parts));
    for (index_t e = 0; e < count && std::isfinite(worst); ++e) {
      for (index_t k = 0; k < points; ++k)
        for (index_t f = 0; f < factors; ++f)
          own[at(f + factors * k)] = double(D[at(k + points * (f + factors * (first + e)))]);
      for (index_t j = 0; j < columns; ++j) {
        const index_t group = j / (nx * parts);
        x.assign(x.size(), 0);
        x[at(j % (nx * parts))] = 1;
        const auto y = reference.apply(x.data(), own.data()), sizes = reference.magnitudes(x.data(), own.data());
        for (index_t i = s.packed ? j : 0; i < rows; ++i) {
          const index_t place = e * entries + (s.packed ? i + j * (2 * rows - j - 1) / 2 : i + rows * j);
          const bool coupled = i / (ny * parts) == group;
          const index_t in_group = i % (ny * parts);
          count_off(M[place], again[place], coupled ? y[at(in_group)] : 0,
                    coupled ? gamma<T>(reference.roundings() + 4) * sizes[at(in_group)] : 0);
        }
      }
    }
    for (index_t i = 0; i < start(forth); ++i) count_off(forth[at(i)], before[0], before[0], 0);
    for (index_t i = start(forth) + entries * count; i < index_t(forth.size()); ++i)
      count_off(forth[at(i)], before[0], before[0], 0);
    return worst;
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
                                     .factors = factors};
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
