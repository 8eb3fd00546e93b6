// SPDX-License-Identifier: BSD-3-Clause
// Do a candidate's accumulators stay in registers? Its vector loads and stores on the stack, counted in machine code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tessera::tune {

/// Of each function in a disassembly (objdump -d --no-show-raw-insn), by address: accesses of vector registers to the
/// stack that lie within a dozen instructions of a multiplication before and one after, so that what a kernel keeps on
/// the stack outside of its loops does not count.
std::map<std::uint64_t, int> stack_accesses_in(const std::string& disassembly);

/// Of a shared object; nothing where there is no objdump.
std::optional<std::map<std::uint64_t, int>> stack_accesses_of(const std::string& object);

}  // namespace tessera::tune
