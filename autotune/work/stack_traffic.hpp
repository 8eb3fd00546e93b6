// SPDX-License-Identifier: BSD-3-Clause
// Counts vector loads and stores on the stack in a candidate's machine code: whether accumulators stay in registers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tessera::tune {

/// Of each function in a disassembly (objdump -d --no-show-raw-insn), by address: accesses of vector registers to the
/// stack within a dozen instructions of a multiplication before and one after, so that stack accesses outside of loops
/// do not count.
std::map<std::uint64_t, int> stack_accesses_in(const std::string& disassembly);

/// Of a shared object; empty without objdump.
std::optional<std::map<std::uint64_t, int>> stack_accesses_of(const std::string& object);

}  // namespace tessera::tune
