// SPDX-License-Identifier: BSD-3-Clause
// Contractions as run-time values: parsing, and the texts of faults.
#include <tessera/contraction.hpp>

#include <tessera/error.hpp>

namespace tessera {

std::string text_of(const einsum& e) {
  const std::string letter = std::string("'") + e.offender + "'";
  switch (e.fault) {
    case einsum_fault::none: return "well formed";
    case einsum_fault::malformed:
      return e.offender ? "unexpected character " + letter : "it is not of the form \"ab,bc->ac\"";
    case einsum_fault::operand_count: return "it needs two or three inputs";
    case einsum_fault::rank: return "an operand has more than " + std::to_string(max_rank) + " letters";
    case einsum_fault::repeated_input_letter: return "letter " + letter + " is repeated in one input";
    case einsum_fault::repeated_output_letter: return "letter " + letter + " is repeated in the output";
    case einsum_fault::unknown_output_letter: return "output letter " + letter + " is in no input";
    case einsum_fault::summed_letters: return "more than " + std::to_string(max_rank) + " letters are summed over";
    case einsum_fault::lonely_letter: return "letter " + letter + " is in one operand only";
  }
  return "unknown fault";
}

contraction::contraction(std::string_view text, scaling scale, std::optional<scalar_type> sum)
    : text_(text), modes_(parse_einsum(text_.c_str())), scale_(scale), sum_(sum) {
  // The parser stops at a zero byte; anything behind it is a fault, too.
  const bool cut_short = text_.find('\0') != std::string::npos;
  if (modes_.fault == einsum_fault::none && cut_short) modes_.fault = einsum_fault::malformed;
  if (modes_.fault == einsum_fault::none) return;
  constexpr std::size_t shown = 200;
  throw error(
      "contraction \"" + (text_.size() > shown ? text_.substr(0, shown) + "..." : text_) + "\": " + text_of(modes_),
      status::bad_einsum);
}

}  // namespace tessera
