// SPDX-License-Identifier: BSD-3-Clause
// Do entries share addresses? What is asked of outputs before anything is written.
#pragma once

#include <tessera/operand.hpp>

namespace tessera::detail {

/// True where no two entries of one tensor (of one block of interleaved tensors) share an address.
bool distinct_in_block(const operand& o);

/// True where no two entries of different blocks do, the entries of each block being distinct.
bool distinct_blocks(const operand& o);

/// True where the memory that two operands reach over has bytes in common.
bool ranges_meet(const operand& a, const operand& b);

/// True where both name the same entries at the same addresses, layouts that are not affine left aside.
bool same_addresses(const operand& a, const operand& b);

}  // namespace tessera::detail
