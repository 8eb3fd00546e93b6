// SPDX-License-Identifier: BSD-3-Clause
// subscripts: numpy's einsum text, and what it and the arrays' strides are as a contraction of Tessera.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tessera/operand.hpp>

#include "array.hpp"

namespace tessera::python {

/// "kj,ejbc->ekbc", or with an addend "ik,kj+ij->ij". Where the text has no output, it has the letters that occur once,
/// in the order of the alphabet.
struct subscripts {
  std::vector<std::string> operands;  // inputs, the addend if there is one, the output
  int inputs = 0;

  /// Throws ValueError for what cannot be read.
  explicit subscripts(std::string_view text);
  bool has_addend() const { return int(operands.size()) == inputs + 2; }
  const std::string& output() const { return operands.back(); }
  int count() const { return int(operands.size()); }
  /// Normalised: without blanks, with the output.
  std::string text() const;
};

/// A contraction for plans and networks. Letters of each operand stand in the order of its strides, the smallest first,
/// so that a row-major array is as good as a column-major one; those of the batch are in none. A letter that an input
/// has twice is its diagonal.
struct lowered {
  std::string text;
  std::vector<operand> operands;
};

/// Arrays of inputs, the addend and the output. Throws ValueError where they do not fit the text.
lowered lower(const subscripts& what, std::string_view batch, const std::vector<array>& arrays);

/// The extents of the output, from those of the inputs.
std::vector<index_t> output_extents(const subscripts& what, const std::vector<array>& inputs);

}  // namespace tessera::python
