// SPDX-License-Identifier: BSD-3-Clause
// Element matrices of dense tables: each column from the function at the points of one basis function.
#pragma once

#include <string>

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/element/matrix_storage.hpp>

#include "block_source.hpp"
#include "cpu_operator.hpp"

namespace tessera::detail {

/// Of a linear function.
template <class T>
class dense_matrices {
 public:
  /// Of the tables, kernels and sizes of `s`.
  explicit dense_matrices(const cpu_operator<T>& s);

  /// Of elements first, first + 1, ...
  void run(index_t first, index_t count, T* M, matrix_storage how, const block_source<T>& D) const;

  /// "by columns of dense tables, 8 elements at a time"
  std::string describe() const;

 private:
  // Those of elements first, first + 1, ...
  struct matrices {
    T* M;
    index_t first;
    matrix_storage how;
  };
  // Column `column` of each block on the diagonal, with the zeros above and below it.
  void put(const T* y, index_t column, const lane_elements& which, const matrices& to_all) const;

  const element_kernels<T>& kernels_;
  std::shared_ptr<const dense_state<T>> dense_;
  int repeats_;                     // blocks on the diagonal; elsewhere entries are 0
  index_t rows_, columns_;          // of such a block
  index_t all_rows_, all_columns_;  // of a matrix
};

}  // namespace tessera::detail
