// SPDX-License-Identifier: BSD-3-Clause
// Replaces what the library says of an operand by what Python says.
#include "error_text.hpp"

#include <cctype>
#include <utility>

#include "e_vector.hpp"

namespace tessera::python {

namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool is_of_a_word(const std::string& text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
}

// Only whole words.
void replace_word(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const bool is_word = !(at > 0 && is_of_a_word(text, at - 1)) && !is_of_a_word(text, at + from.size());
    if (is_word) text.replace(at, from.size(), to);
    at += is_word ? to.size() : from.size();
  }
}

std::string shapes_text(const subscripts& what, const std::vector<array>& arrays) {
  std::string text;
  for (int i = 0; i < int(arrays.size()); ++i) {
    if (i > 0) text += i + 1 == what.count() ? " -> " : i < what.inputs ? ", " : " + ";
    text += extents_text(arrays[std::size_t(i)]);
  }
  return text;
}

}  // namespace

std::string in_python_words(const std::string& text, const std::string& lowered, const subscripts& what,
                            const std::vector<array>& arrays) {
  const std::string own = "\"" + what.text() + "\"", theirs = "\"" + lowered + "\"";
  std::string head, rest = text;
  // plan "jk,cbj->cbk" over 4x5, 4x4x4 -> 4x4x5: ...
  if (const std::size_t at = text.find(theirs + " over "); at != std::string::npos)
    if (const std::size_t end = text.find(": ", at + theirs.size()); end != std::string::npos) {
      head = "einsum " + own + " of " + shapes_text(what, arrays) + ": ";
      rest = text.substr(end + 2);
    }
  // How it is told in C++.
  const std::string hint = "; others need the type of their sums: contraction(";
  if (const std::size_t at = rest.find(hint); at != std::string::npos)
    rest = rest.substr(0, at) + "; others need sum_dtype=";
  replace_all(rest, theirs, own);
  replace_word(rest, "input", "operand");
  const std::pair<const char*, scalar_type> types[] = {
      {"f32", scalar_type::f32}, {"f64", scalar_type::f64}, {"c32", scalar_type::c32},
      {"c64", scalar_type::c64}, {"f16", scalar_type::f16}, {"bf16", scalar_type::bf16},
      {"i16", scalar_type::i16}, {"i32", scalar_type::i32}, {"i64", scalar_type::i64}};
  for (const auto& [name, type] : types) replace_word(rest, name, dtype_name(type));
  return head + rest;
}

}  // namespace tessera::python
