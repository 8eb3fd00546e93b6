// SPDX-License-Identifier: BSD-3-Clause
// Contractions in Einstein's notation: "kj,jbc->kbc" as a constexpr value, or the reason why the text is not valid.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// A string literal as a template argument.
template <int N>
struct fixed_string {
  char text[N]{};
  constexpr fixed_string(const char (&from)[N]) {
    for (int i = 0; i < N; ++i) text[i] = from[i];
  }
};

/// The letters of one operand, first dimension first.
struct modes {
  int rank = 0;
  char letter[max_rank]{};

  constexpr int find(char wanted) const {
    for (int d = 0; d < rank; ++d)
      if (letter[d] == wanted) return d;
    return -1;
  }
  constexpr bool has(char wanted) const { return find(wanted) >= 0; }
  constexpr void append(char next) { letter[rank++] = next; }
};

enum class einsum_fault {
  none,
  malformed,               // not of the form "ab,bc->ac"
  operand_count,           // one, or more than three, inputs
  rank,                    // more than max_rank letters in an operand
  repeated_input_letter,   // "ii,ij->j": diagonals are not supported
  repeated_output_letter,  // "ij,jk->ii"
  unknown_output_letter,   // "ij,jk->iz"
  lonely_letter,           // summed over, but in one operand only
  summed_letters,          // more than max_rank letters are summed over
};

inline constexpr int max_inputs = 3;
/// Position of the output among a contraction's operands.
inline constexpr int output = max_inputs;

/// Two inputs are multiplied and summed over the letters that the output lacks. Three inputs are kernel (9): the first
/// two form a pointwise product that is contracted with the third.
struct einsum {
  int inputs = 0;
  modes operand[max_inputs + 1];
  einsum_fault fault = einsum_fault::none;
  char offender = 0;

  constexpr const modes& out() const { return operand[output]; }
  constexpr modes& out() { return operand[output]; }
};

namespace detail {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr einsum failed(einsum partial, einsum_fault fault, char offender = 0) {
  partial.fault = fault;
  partial.offender = offender;
  return partial;
}

constexpr einsum check_letters(einsum e) {
  for (int o = 0; o <= max_inputs; ++o) {
    if (o >= e.inputs && o != output) continue;
    const modes& m = e.operand[o];
    for (int d = 0; d < m.rank; ++d)
      if (m.find(m.letter[d]) != d)
        return failed(e, o == output ? einsum_fault::repeated_output_letter : einsum_fault::repeated_input_letter,
                      m.letter[d]);
  }
  for (int d = 0; d < e.out().rank; ++d) {
    bool known = false;
    for (int o = 0; o < e.inputs; ++o) known = known || e.operand[o].has(e.out().letter[d]);
    if (!known) return failed(e, einsum_fault::unknown_output_letter, e.out().letter[d]);
  }
  for (int o = 0; o < e.inputs; ++o)
    for (int d = 0; d < e.operand[o].rank; ++d) {
      const char c = e.operand[o].letter[d];
      int holders = int(e.out().has(c));
      for (int other = 0; other < e.inputs; ++other) holders += int(e.operand[other].has(c));
      if (holders < 2) return failed(e, einsum_fault::lonely_letter, c);
    }
  modes summed;
  for (int o = 0; o < e.inputs; ++o)
    for (int d = 0; d < e.operand[o].rank; ++d) {
      const char c = e.operand[o].letter[d];
      if (e.out().has(c) || summed.has(c)) continue;
      if (summed.rank == max_rank) return failed(e, einsum_fault::summed_letters, c);
      summed.append(c);
    }
  return e;
}

}  // namespace detail

/// Reads "ab,bc->ac" (two or three inputs, letters a-z and A-Z, blanks ignored). `fault` is what is wrong with it.
constexpr einsum parse_einsum(const char* text) {
  einsum e;
  int current = 0;
  for (; *text; ++text) {
    const char c = *text;
    if (c == ' ') continue;
    if (c == ',') {
      if (current == output) return detail::failed(e, einsum_fault::malformed, c);
      if (++current == max_inputs) return detail::failed(e, einsum_fault::operand_count, c);
    } else if (c == '-' && text[1] == '>' && current != output) {
      e.inputs = current + 1;
      current = output;
      ++text;
    } else if (detail::is_letter(c)) {
      if (e.operand[current].rank == max_rank) return detail::failed(e, einsum_fault::rank, c);
      e.operand[current].append(c);
    } else {
      return detail::failed(e, einsum_fault::malformed, c);
    }
  }
  if (current != output) return detail::failed(e, einsum_fault::malformed);
  if (e.inputs < 2) return detail::failed(e, einsum_fault::operand_count);
  return detail::check_letters(e);
}

}  // namespace tessera
