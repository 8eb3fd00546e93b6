// SPDX-License-Identifier: BSD-3-Clause
// Brings dense tables into the form that kernels take.
#include "dense_state.hpp"

namespace tessera::detail {

namespace {
std::size_t at(index_t i) { return std::size_t(i); }
}  // namespace

template <class T>
dense_state<T>::dense_state(const direct_function<T>& of, const dense_basis& trial, const dense_basis& test,
                            index_t points)
    : function{.function = of} {
  const index_t q = points, d = trial.functions, t = test.functions, dim = of.dim;
  element_panels<T>& tables = function.tables;
  tables.d = d;
  tables.q = q;
  tables.t = t;
  // The entry of row k + q a, where rows are derivatives at points, or of such a column.
  const auto slope = [q](const dense_basis& of_basis, index_t row, index_t i) {
    return of_basis.gradients[at(row % q + q * (i + of_basis.functions * (row / q)))];
  };
  if (of.trial.value) tables.values = panels(q, d, [&](index_t k, index_t i) { return trial.values[at(k + q * i)]; });
  if (of.trial.gradient)
    tables.gradients = panels(q * dim, d, [&](index_t row, index_t i) { return slope(trial, row, i); });
  if (of.test.value)
    tables.test_values = panels(t, q, [&](index_t i, index_t k) { return test.values[at(k + q * i)]; });
  if (of.test.gradient)
    tables.test_gradients = panels(t, q * dim, [&](index_t i, index_t column) { return slope(test, column, i); });
  tables.trial = columns(trial, of.trial);
  tables.test = columns(test, of.test);
}

template <class T>
template <class Entry>
panel_table<T> dense_state<T>::panels(index_t m, index_t n, Entry entry) {
  T* const entries = memory_.emplace_back(m * n).data();
  T* next = entries;
  for (index_t first = 0; first < m;) {
    const index_t rows = panel_rows(m - first);
    for (index_t i = 0; i < n; ++i)
      for (index_t r = 0; r < rows; ++r) *next++ = T(entry(first + r, i));
    first += rows;
  }
  return {entries, m, n};
}

template <class T>
plain_columns<T> dense_state<T>::columns(const dense_basis& of, const point_shape& shape) {
  return {shape.value ? column_by_column(of.values, of.functions, 1) : nullptr,
          shape.gradient ? column_by_column(of.gradients, of.functions, function.function.dim) : nullptr};
}

// From k + q (i + functions a) to k + q (a + directions i).
template <class T>
const T* dense_state<T>::column_by_column(const std::vector<double>& from, index_t functions, index_t directions) {
  const index_t q = function.tables.q;
  T* const entries = memory_.emplace_back(index_t(from.size())).data();
  for (index_t i = 0; i < functions; ++i)
    for (index_t a = 0; a < directions; ++a)
      for (index_t k = 0; k < q; ++k) entries[k + q * (a + directions * i)] = T(from[at(k + q * (i + functions * a))]);
  return entries;
}

template struct dense_state<float>;
template struct dense_state<double>;

}  // namespace tessera::detail
