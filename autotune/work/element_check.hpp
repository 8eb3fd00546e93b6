// SPDX-License-Identifier: BSD-3-Clause
// Checks a compiled element kernel: its results on random data against those of the rules' tuning, over device memory
// with guard zones.
#pragma once

#include <string>
#include <vector>

#include <tessera/detail/element/jit_element.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/element/evaluation.hpp>

#include "tuning_case.hpp"

namespace tessera::tune {

/// Gauss-Lobatto functions at Gauss points, or at their own nodes: the tables of a case.
line_tables tables_of(const element_case& c);

/// |T(k,i)| + |T(k,n-1-i)| for each: an upper bound of what the halves of tables that mirror themselves add up to. Of q
/// points.
line_tables absolute(const line_tables& tables, int q);

/// The operator of a case with the library's default tuning.
evaluation_spec spec_of(const tuning_case& c);

/// The kernel of a tuning, from machine code in the cache if present.
jit_element_kernel element_kernel_of(const jit_element& what, const line_tables& tables, const std::string& cache);

class element_judge {
 public:
  /// Runs the rules' tuning. `cache`: folder of compiled kernels.
  element_judge(const tuning_case& c, const std::string& cache);

  /// Empty if all results are right and nothing else was written; else the fault, in a line.
  std::string fault_of(const jit_element_kernel& kernel) const;

 private:
  template <class T>
  void learn(const std::string& cache);
  template <class T>
  std::string fault_in(const jit_element_kernel& kernel) const;

  tuning_case case_;
  element_numbers each_;
  index_t elements_ = 0;
  std::vector<double> results_, allowed_;  // of y, and the allowed differences
};

}  // namespace tessera::tune
