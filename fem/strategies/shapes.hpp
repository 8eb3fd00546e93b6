// SPDX-License-Identifier: BSD-3-Clause
// Shapes of tensor-product elements, and the reshape of a caller's packed operand to the shape that a chain was made
// for.
#pragma once

#include <tessera/operand.hpp>

#include <vector>

namespace tessera::fem::detail {

/// (n,n) or (n,n,n)
shape cube(int dim, int n);
/// (n1,n2) or (n1,n2,n3)
shape box(const std::vector<int>& n);
/// (n,n[,n],n,n[,n])
shape matrix_cube(int dim, int n);

/// `given` seen as a batch of `count` tensors of `sizes`: the number of entries and the count must agree, and the
/// entries of each tensor be packed column-major. Throws naming the operation, the argument and both shapes.
operand shaped(const char* operation, const char* argument, const operand& given, const shape& sizes, index_t count);

/// Throws status::overlap if the bytes of `x` and `y` overlap.
void check_apart(const char* operation, const operand& x, const operand& y);

}  // namespace tessera::fem::detail
