// SPDX-License-Identifier: BSD-3-Clause
// What an evaluation by dense tables has: the tables in the form that its kernel takes, and what the kernel is given.
#pragma once

#include <vector>

#include <tessera/cpu/detail/element/dense_function.hpp>
#include <tessera/element/dense_basis.hpp>
#include <tessera/memory.hpp>

namespace tessera::detail {

template <class T>
struct dense_state {
  /// `function` but for the tables; its shapes say which of them are there. Bases as checked, at `points` points.
  dense_state(const direct_function<T>& function, const dense_basis& trial, const dense_basis& test, index_t points);
  dense_state(const dense_state&) = delete;
  dense_state& operator=(const dense_state&) = delete;

  dense_function<T> function;

 private:
  template <class Entry>
  panel_table<T> panels(index_t m, index_t n, Entry entry);
  plain_columns<T> columns(const dense_basis& of, const point_shape& shape);
  const T* column_by_column(const std::vector<double>& from, index_t functions, index_t directions);
  T* allocate(index_t entries);
  std::vector<buffer> memory_;
  std::vector<points_panels<T>> parts_;
};

}  // namespace tessera::detail
