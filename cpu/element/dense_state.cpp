// SPDX-License-Identifier: BSD-3-Clause
// Brings dense tables into the form that kernels take.
#include "dense_state.hpp"

#include <algorithm>

namespace tessera::detail {

namespace {
std::size_t at(index_t i) { return std::size_t(i); }

// What is computed at so many points stays in L1, beside the tables that are read once.
constexpr index_t most_points_at_once = 32;
}  // namespace

template <class T>
dense_state<T>::dense_state(const direct_function<T>& of, const dense_basis& trial, const dense_basis& test,
                            index_t points)
    : function{.function = of} {
  const index_t q = points, d = trial.functions, t = test.functions, dim = of.dim;
  for (index_t first = 0; first < q;) {
    const index_t n = next_part(q - first, most_points_at_once);
    // Of function i at point k of the part, and in direction a; rows of gradients are k + n a.
    const auto value = [&](const dense_basis& basis, index_t k, index_t i) {
      return basis.values[at(first + k + q * i)];
    };
    const auto slope = [&](const dense_basis& basis, index_t row, index_t i) {
      return basis.gradients[at(first + row % n + q * (i + basis.functions * (row / n)))];
    };
    points_panels<T> part{.first = first, .count = n};
    if (of.trial.value) part.values = panels(n, d, [&](index_t k, index_t i) { return value(trial, k, i); });
    if (of.trial.gradient)
      part.gradients = panels(n * dim, d, [&](index_t row, index_t i) { return slope(trial, row, i); });
    if (of.test.value) part.test_values = panels(t, n, [&](index_t i, index_t k) { return value(test, k, i); });
    if (of.test.gradient)
      part.test_gradients = panels(t, n * dim, [&](index_t i, index_t column) { return slope(test, column, i); });
    function.tables.most_points = std::max(function.tables.most_points, n);
    parts_.push_back(part);
    first += n;
  }
  element_panels<T>& tables = function.tables;
  tables.parts = parts_.data();
  tables.part_count = index_t(parts_.size());
  tables.d = d;
  tables.q = q;
  tables.t = t;
  tables.trial = columns(trial, of.trial);
  tables.test = columns(test, of.test);
}

template <class T>
template <class Entry>
panel_table<T> dense_state<T>::panels(index_t m, index_t n, Entry entry) {
  T* const entries = allocate(m * n);
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
T* dense_state<T>::allocate(index_t entries) {
  return static_cast<T*>(memory_.emplace_back(space_kind::cpu, at(entries) * sizeof(T)).data());
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
  T* const entries = allocate(index_t(from.size()));
  for (index_t i = 0; i < functions; ++i)
    for (index_t a = 0; a < directions; ++a)
      for (index_t k = 0; k < q; ++k) entries[k + q * (a + directions * i)] = T(from[at(k + q * (i + functions * a))]);
  return entries;
}

template struct dense_state<float>;
template struct dense_state<double>;

}  // namespace tessera::detail
