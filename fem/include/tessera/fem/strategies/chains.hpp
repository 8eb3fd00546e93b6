// SPDX-License-Identifier: BSD-3-Clause
// The chains of contractions that evaluate and assemble on tensor-product elements, as steps for tessera::chain.
#pragma once

#include <tessera/chain.hpp>

#include <vector>

namespace tessera::fem {

/// The tables of 2 or 3 directions, first direction first, each also transposed: a step uses the one for which all its
/// operands are packed matrices.
struct direction_tables {
  std::vector<operand> plain;       // (q,d)
  std::vector<operand> transposed;  // (d,q)
};

/// From values at nodes (d,d[,d]) to values at points (q1,q2[,q3]).
std::vector<chain_step> interpolation_steps(const direction_tables& tables);

/// y = B^T D B x: interpolation, the product with D (q1,q2[,q3]) at points, and back.
std::vector<chain_step> evaluation_steps(const direction_tables& tables, const operand& D);

/// From D (q1,q2[,q3]) to M = B^T D B of extents (d,d[,d],d,d[,d]), first direction first: the smallest number of
/// operations among chains of pairwise contractions. pairs[a] holds B(k,i) B(k,j) of direction a as (i,k,j) for the
/// first direction, (k,i,j) for the second, (i,j,k) for the third.
std::vector<chain_step> assembly_steps(const std::vector<operand>& pairs);

/// The same products with the dense table B (q,d) of a whole element, q and d being numbers of points and functions of
/// all directions: from D (q) to M (d,d), and from x (d) to y (d).
std::vector<chain_step> dense_assembly_steps(const operand& B);
std::vector<chain_step> dense_evaluation_steps(const operand& B, const operand& D);

}  // namespace tessera::fem
