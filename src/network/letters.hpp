// SPDX-License-Identifier: BSD-3-Clause
// The letters of a contraction of many operands: "ab,bc,cd->ad" taken apart and checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::detail {

/// Letters as bits: a-z, A-Z, and the batch index.
using letter_set = std::uint64_t;
inline constexpr int letter_count = 53, batch_number = 52;
inline constexpr letter_set batch_index = letter_set{1} << batch_number;

constexpr int number_of(char letter) { return letter >= 'a' ? letter - 'a' : letter - 'A' + 26; }
constexpr char letter_of(int number) { return char(number < 26 ? 'a' + number : 'A' + number - 26); }
constexpr letter_set set_of(std::string_view letters) {
  letter_set set = 0;
  for (const char c : letters) set |= letter_set{1} << number_of(c);
  return set;
}
constexpr bool has(letter_set set, char letter) { return (set >> number_of(letter) & 1) != 0; }

/// The letters of each operand in their order.
struct network_letters {
  std::vector<std::string> inputs;
  std::string out;
};

/// Blanks are ignored. Throws status::bad_einsum with the fault in the text.
network_letters parse_network(std::string_view text);

/// The text for errors, cut off where it is long.
std::string quoted(std::string_view text);

}  // namespace tessera::detail
