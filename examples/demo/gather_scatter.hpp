// SPDX-License-Identifier: BSD-3-Clause
// Gather and scatter between the unknowns of a mesh and E-vectors, as in a code around an element operator.
#pragma once

#include <tessera/core/types.hpp>

#include <vector>

namespace tessera::demo {

/// Gather: entry i of the E-vector is unknown number[i]. Scatter: an unknown is the sum of its entries, in a fixed
/// order, so that no two threads write to the same unknown.
class gather_scatter {
 public:
  /// `number` must outlive it.
  gather_scatter(const std::vector<int>& number, index_t unknowns);

  void gather(const double* unknowns, double* entries) const;
  void scatter(const double* entries, double* unknowns) const;

 private:
  const std::vector<int>& number_;
  std::vector<int> start_;  // of the entries of an unknown
  std::vector<int> entry_;
};

}  // namespace tessera::demo
