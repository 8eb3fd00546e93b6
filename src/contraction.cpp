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

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  constexpr std::size_t shown = 200;
  throw error("contraction \"" + (text.size() > shown ? text.substr(0, shown) + "..." : text) + "\": " + why,
              status::bad_einsum);
}

// Cuts "+ij" out of "ik,kj+ij->ij": the letters between, if there are any.
std::optional<std::string> cut_addend(std::string& text) {
  const std::size_t plus = text.find('+');
  if (plus == std::string::npos) return std::nullopt;
  const std::size_t arrow = text.find("->", plus);
  if (arrow == std::string::npos) return std::nullopt;
  std::string letters = text.substr(plus + 1, arrow - plus - 1);
  text.erase(plus, arrow - plus);
  return letters;
}

modes addend_modes(const std::string& text, const std::string& letters, const einsum& e) {
  const auto named = [](char c) { return std::string("'") + c + "'"; };
  if (e.inputs != 2)
    refuse(text, "it has " + std::to_string(e.inputs) + " inputs and an addend, which contractions of two inputs take");
  modes found;
  for (const char c : letters) {
    if (c == ' ') continue;
    if (!detail::is_letter(c)) refuse(text, "unexpected character " + named(c) + " in the addend");
    if (found.has(c)) refuse(text, "letter " + named(c) + " is repeated in the addend");
    if (!e.out().has(c)) refuse(text, "letter " + named(c) + " of the addend is not in the output");
    found.append(c);
  }
  for (int d = 0; d < e.out().rank; ++d)
    if (!found.has(e.out().letter[d]))
      refuse(text, "output letter " + named(e.out().letter[d]) + " is not in the addend");
  return found;
}

void check_two_inputs(const contraction& what, const char* of) {
  if (what.modes().inputs != 2)
    throw error("contraction \"" + what.text() + "\": it has " + std::to_string(what.modes().inputs) + " inputs and " +
                of + ", which contractions of two inputs take");
}

}  // namespace

contraction::contraction(std::string_view text, scaling scale, std::optional<scalar_type> sum)
    : text_(text), scale_(scale), sum_(sum) {
  std::string plain = text_;
  const std::optional<std::string> addend = cut_addend(plain);
  modes_ = parse_einsum(plain.c_str());
  // The parser stops at a zero byte; anything behind it is a fault, too.
  if (modes_.fault == einsum_fault::none && text_.find('\0') != std::string::npos)
    modes_.fault = einsum_fault::malformed;
  if (modes_.fault != einsum_fault::none) refuse(text_, text_of(modes_));
  if (addend) addend_ = addend_modes(text_, *addend, modes_);
}

contraction::contraction(std::string_view text) : contraction(text, assign) {
  if (addend_) scale_ = add;
}

contraction contraction::scaled(complex<double> alpha, complex<double> beta) const {
  contraction made = *this;
  made.scale_ = {alpha, beta};
  return made;
}

contraction contraction::with(const contraction_functions& functions) const {
  if (functions != contraction_functions{}) check_two_inputs(*this, "functions of entries");
  contraction made = *this;
  made.functions_ = functions;
  return made;
}

contraction contraction::over(const operations& pair) const {
  if (pair != operations{}) check_two_inputs(*this, "another pair of operations");
  contraction made = *this;
  made.pair_ = pair;
  return made;
}

}  // namespace tessera
