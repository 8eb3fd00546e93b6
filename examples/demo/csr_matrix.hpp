// SPDX-License-Identifier: BSD-3-Clause
// The same operator assembled to a sparse matrix of all unknowns: CSR, double, 32-bit columns.
#pragma once

#include <tessera/memory.hpp>

#include "bent_box.hpp"
#include "peers.hpp"

namespace tessera::demo {

class csr_matrix {
 public:
  /// Sums the element matrices of A. The pattern is that of the box: a node is coupled with those of the elements
  /// around it.
  csr_matrix(const bent_box& mesh, const fem::element_operator<double>& A);

  csr_view view() const;
  /// Without the row starts.
  static double bytes_of_element(int p);

 private:
  void lay_out(const bent_box& mesh);
  void sum_up(const bent_box& mesh, const fem::element_operator<double>& A);

  std::vector<std::int64_t> start_;
  buffer column_, value_;  // first touched by the threads that use them
};

}  // namespace tessera::demo
