// SPDX-License-Identifier: BSD-3-Clause
// Whether entries share addresses: checked for outputs before anything is written.
#pragma once

#include <string>

#include <tessera/operand.hpp>

namespace tessera::detail {

/// True where no two entries of one tensor (of one whole block of interleaved tensors) share a byte.
bool distinct_in_block(const operand& o);

/// True where no two entries of a batch or a group do, those of one block being distinct.
bool distinct_blocks(const operand& o);

/// True where no two entries at all share a byte.
bool distinct_entries(const operand& o);

/// True where two operands have a byte of an entry in common. Costs one comparison if their address ranges are
/// disjoint.
bool entries_meet(const operand& a, const operand& b);

/// ": its dimension 1 of extent 4 has stride 0", if that is why entries share an address; else empty.
std::string repeat_text(const operand_facts& f);

/// Which members of groups do: " (member 3 of the output's group)" for errors, else empty.
std::string meeting_text(const operand& out, const operand& in);

/// Why distinct_blocks does not hold: "batch entries of the output overlap, stride 3".
std::string clash_text(const operand& out);

/// True where both name the same entries at the same addresses, except layouts that are not affine.
bool same_addresses(const operand& a, const operand& b);

/// What is wrong with the address of an operand whose type is known: that it is null, or no multiple of a number's
/// bytes, which kernels rely on that store whole vectors; empty where nothing is.
struct misplaced {
  std::string text;
  status code = status::invalid_argument;
};
misplaced misplaced_text(const operand& o);

}  // namespace tessera::detail
