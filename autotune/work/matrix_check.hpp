// SPDX-License-Identifier: BSD-3-Clause
// Is a compiled kernel of element matrices right? Its matrices of random data against those that go by columns, over
// device memory with guard zones.
#pragma once

#include <string>
#include <vector>

#include <tessera/detail/element/jit_matrix.hpp>

#include "tuning_case.hpp"

namespace tessera::tune {

/// The kernel of a tuning, from its machine code in the cache where it is there.
jit_matrix_kernel matrix_kernel_of(const jit_matrix& what, const line_tables& tables, const std::string& cache);

class matrix_judge {
 public:
  /// Runs columns by rule. `cache`: folder of compiled kernels.
  matrix_judge(const tuning_case& c, const std::string& cache);

  /// Empty where all matrices are right and nothing else was touched; else what is wrong, in a line.
  std::string fault_of(const jit_matrix_kernel& kernel) const;

 private:
  template <class T>
  std::vector<T> matrices_by(const jit_matrix_kernel& kernel, bool absolute, std::string& fault) const;
  template <class T>
  void learn(const std::string& cache);
  template <class T>
  std::string fault_in(const jit_matrix_kernel& kernel) const;

  tuning_case case_;
  element_numbers each_;
  index_t elements_ = 0;
  std::vector<double> results_, allowed_;  // entries of the matrices, and how much they may differ from them
};

}  // namespace tessera::tune
