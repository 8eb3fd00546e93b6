// SPDX-License-Identifier: BSD-3-Clause
// Reads a contraction of many operands. Unlike parse_einsum it takes letters that are in one input only.
#include "letters.hpp"

#include <tessera/core/einsum.hpp>
#include <tessera/error.hpp>
#include <tessera/network.hpp>

namespace tessera::detail {

namespace {

std::string name_of_letter(char c) { return std::string("'") + c + "'"; }

[[noreturn]] void refuse_text(std::string_view text, const std::string& why) {
  throw error("network " + quoted(text) + ": " + why, status::bad_einsum);
}

// Throws where a letter is twice in one operand.
void check_distinct_letters(std::string_view text, const std::string& letters, const std::string& which) {
  for (std::size_t d = 0; d < letters.size(); ++d)
    if (letters.find(letters[d]) != d)
      refuse_text(text, "letter " + name_of_letter(letters[d]) + " is repeated in " + which +
                            ", and diagonals are not supported");
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t shown = 200;
  return "\"" + (text.size() > shown ? std::string(text.substr(0, shown)) + "..." : std::string(text)) + "\"";
}

network_letters parse_network(std::string_view text) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw error("network: a zero byte behind " + quoted(text.substr(0, zero)), status::bad_einsum);
  network_letters parsed;
  std::vector<std::string> operands(1);
  bool in_output = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (is_letter(c)) {
      if (operands.back().size() == std::size_t(max_rank))
        refuse_text(text, "an operand has more than " + std::to_string(max_rank) + " letters");
      operands.back() += c;
    } else if (c == ',' && !in_output) {
      operands.emplace_back();
    } else if (c == '-' && i + 1 < text.size() && text[i + 1] == '>' && !in_output) {
      operands.emplace_back();
      in_output = true;
      ++i;
    } else {
      refuse_text(text, "unexpected character " + name_of_letter(c));
    }
  }
  if (!in_output) refuse_text(text, "it is not of the form \"ab,bc,cd->ad\"");
  parsed.out = operands.back();
  operands.pop_back();
  parsed.inputs = std::move(operands);
  const std::size_t count = parsed.inputs.size();
  if (count < 2 || count > std::size_t(max_network_inputs))
    refuse_text(text, "it has " + std::to_string(count) + (count == 1 ? " input" : " inputs") + ", not 2 to " +
                          std::to_string(max_network_inputs));
  letter_set known = 0;
  for (std::size_t o = 0; o < count; ++o) {
    check_distinct_letters(text, parsed.inputs[o], "input " + std::to_string(o + 1));
    known |= set_of(parsed.inputs[o]);
  }
  check_distinct_letters(text, parsed.out, "the output");
  for (const char c : parsed.out)
    if (!has(known, c)) refuse_text(text, "output letter " + name_of_letter(c) + " is in no input");
  return parsed;
}

}  // namespace tessera::detail
