// SPDX-License-Identifier: BSD-3-Clause
// The check that element matrices have to pass on any target: each column is the operator's on a unit vector.
#pragma once

#include "element_checks.hpp"

namespace tessera::testing {

/// Which elements' matrices are asked for, and where: `behind` entries into memory.
struct matrix_request {
  index_t first = 0, count = 1;
  matrix_storage how = matrix_storage::full;
  index_t behind = 0;
};

/// Every entry of the matrices is the definition's, and memory before and behind them is untouched.
template <class T, class Function>
void check_matrices(fem::element_operator_options o, index_t elements, const matrix_request& r) {
  constexpr int dim = Function::dim;
  constexpr index_t coupled = Function::trial.components;
  o.components = std::max(o.components, int(coupled));
  const fem::basis trial(o.trial.kind, o.trial.order),
      test(o.test ? o.test->kind : o.trial.kind, o.test ? o.test->order : o.trial.order);
  const reference_element<Function> reference(trial, test, rule_of(o));
  const index_t nx = reference.trial_size(), ny = reference.test_size();
  const index_t entries = reference.points() * Function::factors;
  std::vector<T> D = seeded<T>(entries * elements, 8);
  if (o.storage == point_storage::in_float)
    for (T& value : D) value = T(static_cast<float>(value));
  const fem::element_operator<T> A(dim, elements, D.data(), o);
  const index_t rows = ny * o.components, columns = nx * o.components, size = A.matrix_entries(r.how);
  INFO(words(o, dim, A.describe()) << ", matrices " << A.describe_assembly(r.how) << ", " << r.first << " + "
                                   << r.count);
  const std::vector<T> before(entry(r.behind + size * r.count + 40), std::numeric_limits<T>::quiet_NaN());
  const placed<T> memory(before, o.on == target::cuda);
  A.assemble(r.first, r.count, memory.data() + r.behind, r.how);
  const std::vector<T> M = memory.read();

  const std::vector<double> own(D.begin(), D.end());
  std::vector<double> x(entry(nx * coupled));
  double worst = 0;
  const auto count_off = [&](T got, long double wanted, long double bound) {
    const long double off = std::abs(static_cast<long double>(got) - wanted);
    worst = std::max(worst, off <= bound ? (bound > 0 ? static_cast<double>(off / bound) : 0.0) : 2.0);
  };
  for (index_t e = 0; e < r.count; ++e)
    for (index_t j = 0; j < columns; ++j) {
      std::fill(x.begin(), x.end(), 0.0);
      x[entry(j % (nx * coupled))] = 1;
      const double* const of_element = own.data() + entries * (r.first + e);
      const auto y = reference.apply(x.data(), of_element), sizes = reference.magnitudes(x.data(), of_element);
      for (index_t i = r.how == matrix_storage::full ? 0 : j; i < rows; ++i) {
        const bool meet = i / (ny * coupled) == j / (nx * coupled);
        const std::size_t at = entry(i % (ny * coupled));
        count_off(M[entry(r.behind + size * e + matrix_place(i, j, rows, r.how))], meet ? y[at] : 0,
                  meet ? static_cast<long double>(gamma<T>(reference.roundings())) * sizes[at] : 0);
      }
    }
  CHECK(worst <= 1);
  const auto is_untouched = [](T value) { return std::isnan(value); };
  CHECK(std::all_of(M.begin(), M.begin() + r.behind, is_untouched));
  CHECK(std::all_of(M.end() - 40, M.end(), is_untouched));
}

/// Of all operators, lower triangles of those that are symmetric.
template <class T, int dim>
void check_all_matrices(fem::element_operator_options o, index_t elements, const matrix_request& r) {
  const bool full = r.how == matrix_storage::full;
  for_each_kind([&]<operator_kind kind>(known_kind<kind>) {
    o.kind = kind;
    if (full || is_symmetric(kind)) check_matrices<T, operator_function<kind, dim>>(o, elements, r);
  });
}

template <class T>
void check_matrices_in_all_dimensions(const fem::element_operator_options& o, index_t elements,
                                      const matrix_request& r) {
  check_all_matrices<T, 1>(o, elements, r);
  check_all_matrices<T, 2>(o, elements, r);
  check_all_matrices<T, 3>(o, elements, r);
}

}  // namespace tessera::testing
