// SPDX-License-Identifier: BSD-3-Clause
// What a contraction must give: a plain loop over the letters of its text, of operands whose memory was kept as it was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "operand_case.hpp"

namespace fuzz {

/// Inputs first. The letters of the operands are those of the einsum.
struct contraction_case {
  std::string text;
  tessera_scaling scaling{};
  int threads = 0;
  const char* target = nullptr;
  std::vector<operand_case> operands;
  bool ordinary = true;  // nothing was distorted: it has to work
};

std::string text_of(const contraction_case& c);

/// Every multiplication that the loop would do; nothing where it would be too many or an operand lies nowhere.
std::optional<double> work_of(const contraction_case& c);

/// Where entries of an operand lie, sorted, by bytes from the start of its memory.
std::vector<std::ptrdiff_t> places_of(const operand_case& c);
/// No two of them are the same.
bool all_apart(std::vector<std::ptrdiff_t> places);

struct expected_entry {
  std::ptrdiff_t place;
  number value;
};

/// What the output must hold, from what its operands' blocks hold now: to be called before the run.
std::vector<expected_entry> expected_of(const contraction_case& c);

/// False where a changed type or an addend makes it a contraction over bits of other types, or another one.
bool has_known_result(const contraction_case& c);

}  // namespace fuzz
