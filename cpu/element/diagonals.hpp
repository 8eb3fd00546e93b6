// SPDX-License-Identifier: BSD-3-Clause
// The CPU's kernel of the diagonals of element matrices: its tables, and the loop over blocks of elements.
#pragma once

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/element/evaluation.hpp>

#include "block_source.hpp"
#include "cpu_operator.hpp"

namespace tessera::detail {

/// Of a built-in operator, x and y having as many functions.
template <class T>
class element_diagonals {
 public:
  /// For the sizes and kernels of `s`, functions as in `spec`.
  element_diagonals(const cpu_operator<T>& s, const evaluation_spec& spec);
  /// For the dense tables of `s`, which stay its own.
  explicit element_diagonals(const cpu_operator<T>& s);

  /// Of elements first, first + 1, ...: all components of one behind those of the other.
  void run(index_t first, index_t count, T* y, const block_source<T>& D) const;

 private:
  element_diagonals(const cpu_operator<T>& s, index_t scratch);

  const element_kernels<T>& kernels_;
  diagonal_row<T> row_;
  int parts_, repeats_;  // components that are coupled, and how often there are so many
  index_t size_, scratch_;
  buffer tables_;
  diagonal_products<T> products_;
};

}  // namespace tessera::detail
