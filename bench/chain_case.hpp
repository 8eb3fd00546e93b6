// SPDX-License-Identifier: BSD-3-Clause
// The mass operator's evaluation y = B^T D B x by sum factorisation as a case: its steps, and the check of its result.
#pragma once

#include <vector>

#include <tessera/chain.hpp>

#include "run_case.hpp"

namespace tessera::bench {

/// d functions and q points a direction.
struct chain_sizes {
  int dim = 3;
  index_t d = 2, q = 3;

  double functions() const;
  double points() const;
  /// Of one element; a multiply-add is two.
  double flops() const;
};

/// Operands: D, B, x, y; D is the largest.
workload chain_workload(const chain_sizes& sizes, const setting& s);

/// One contraction for each direction, to the points and back, with D in the middle; the last one is work.what.
std::vector<chain_step> steps_of(const chain_sizes& sizes, const workload& work, const std::vector<operand>& operands);

/// Elements drawn by sample_positions against sums in long double; the bound is that of the whole chain.
verdict check_chain(const chain_sizes& sizes, const workload& work);

}  // namespace tessera::bench
