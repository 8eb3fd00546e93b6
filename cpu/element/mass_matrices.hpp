// SPDX-License-Identifier: BSD-3-Clause
// The CPU's kernels of element matrices: their tables, and the loop over blocks of elements.
#pragma once

#include <string>
#include <vector>

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/element/evaluation.hpp>

#include "block_source.hpp"
#include "cpu_operator.hpp"

namespace tessera::detail {

/// Of a mass operator.
template <class T>
class mass_matrices {
 public:
  /// For the sizes and kernels of `s`, functions as in `spec`.
  mass_matrices(const cpu_operator<T>& s, const evaluation_spec& spec);

  /// Of elements first, first + 1, ...
  void run(index_t first, index_t count, T* M, matrix_storage how, const block_source<T>& D) const;

  /// "each distinct number of a matrix once, 8 elements at a time"
  std::string describe() const;

 private:
  const element_kernels<T>& kernels_;
  mass_matrix_row<T> row_;
  int components_;
  index_t rows_, columns_;  // of a matrix
  std::vector<int> pair_, places_;
  buffer tables_;
  matrix_pairs<T> pairs_;
};

}  // namespace tessera::detail
