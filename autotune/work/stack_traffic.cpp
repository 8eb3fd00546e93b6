// SPDX-License-Identifier: BSD-3-Clause
// Reads disassembly line by line.
#include "work/stack_traffic.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "work/child_process.hpp"

namespace tessera::tune {

namespace {

constexpr int window = 12;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// "0000000000001120 <name>:"
std::optional<std::uint64_t> function_address(const std::string& line) {
  if (line.empty() || line.front() == ' ' || !line.ends_with(">:")) return std::nullopt;
  return std::stoull(line, nullptr, 16);
}

// fmadd, mulpd, vmulsd; fmla, fmul on ARM.
bool multiplies(std::string_view instruction) {
  const std::string_view name = instruction.substr(0, instruction.find_first_of(" \t"));
  return has(name, "fmadd") || has(name, "fmla") || has(name, "fmul") || has(name, "mulp") || has(name, "muls");
}

bool is_stack_access(std::string_view instruction) {
  const bool on_x86 = has(instruction, "(%rsp") || has(instruction, "(%rbp");
  if (on_x86) return has(instruction, "mm");
  const std::size_t name_end = std::min(instruction.find_first_of(" \t"), instruction.size());
  const std::string_view operands = instruction.substr(name_end);
  return (has(instruction, "[sp") || has(instruction, "[x29")) && (has(operands, "q") || has(operands, " d"));
}

// The instruction of "    1124:\tvmovapd %ymm0,(%rsp)"; empty in other lines.
std::string_view instruction_in(std::string_view line) {
  const std::size_t at = line.find(":\t");
  return at == std::string_view::npos ? std::string_view{} : line.substr(at + 2);
}

// Counts accesses between two multiplications that are close.
struct counter {
  int total = 0, pending = 0, since = window + 1;

  void see(std::string_view instruction) {
    ++since;
    if (is_stack_access(instruction) && since <= window) ++pending;
    if (!multiplies(instruction)) return;
    if (since <= 2 * window) total += pending;
    pending = since = 0;
  }
};

}  // namespace

std::map<std::uint64_t, int> stack_accesses_in(const std::string& disassembly) {
  std::map<std::uint64_t, int> found;
  std::uint64_t address = 0;
  counter here;
  std::istringstream lines(disassembly);
  for (std::string line; std::getline(lines, line);) {
    if (const auto start = function_address(line)) {
      address = *start;
      here = {};
      found[address] = 0;
    } else if (const std::string_view instruction = instruction_in(line); !instruction.empty()) {
      here.see(instruction);
      found[address] = here.total;
    }
  }
  return found;
}

std::optional<std::map<std::uint64_t, int>> stack_accesses_of(const std::string& object) {
  const finished listed = run({{"objdump", "-d", "--no-show-raw-insn", object}, 60, std::size_t{1} << 28});
  if (!listed.ok()) return std::nullopt;
  return stack_accesses_in(listed.output);
}

}  // namespace tessera::tune
