// SPDX-License-Identifier: BSD-3-Clause
// Do entries share addresses? What is asked of outputs before anything is written.
#pragma once

#include <string>

#include <tessera/operand.hpp>

namespace tessera::detail {

/// True where no two entries of one tensor (of one block of interleaved tensors) share an address.
bool distinct_in_block(const operand& o);

/// True where no two entries of different blocks, or of different members of a group, do, the entries of each being
/// distinct.
bool distinct_blocks(const operand& o);

/// True where the memory that two operands reach over has bytes in common.
bool ranges_meet(const operand& a, const operand& b);

/// The same for groups as members say; " (member 3 of the output's group)" for errors, else empty.
std::string meeting_text(const operand& out, const operand& in);

/// Why distinct_blocks does not hold: "batch entries of the output overlap, stride 3".
std::string clash_text(const operand& out);

/// True where both name the same entries at the same addresses, layouts that are not affine left aside.
bool same_addresses(const operand& a, const operand& b);

}  // namespace tessera::detail
