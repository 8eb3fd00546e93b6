// SPDX-License-Identifier: BSD-3-Clause
// The pairwise contractions of tensor-product elements, with the names of Table 1 and sizes in P nodes and Q points.
#pragma once

#include <string_view>
#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::bench {

/// A product of P and Q, spelled as those letters: "PPQ" is P P Q.
using extents_text = std::string_view;

/// The matrix view inside one element, in the same spelling; `loops` of them at distances of loop_a and loop_c entries.
/// Where two tables are multiplied, their product is the table: (i,k,j) on the left, (k,i,j) on the right, a matrix for
/// each j. A row without one has an empty `m`.
struct matrix_view {
  bool table_is_left = true;
  bool trans_a = false, trans_b = false;
  extents_text m = "", n = "", k = "";
  extents_text loops = "", loop_a = "", loop_c = "";
  extents_text rounds = "", round_table = "", round_c = "";
};

struct table_row {
  std::string_view name;
  const char* einsum;
  std::vector<extents_text> operands;  // inputs, then the output
  int tables;                          // number of leading inputs that are shared by all elements
  extents_text inner;                  // length of the sum
  matrix_view matrix;
};

/// (1a) to (4f), the pointwise D2 and D3, and axis1 to axis3: a table applied along one axis of a P P P cube.
const std::vector<table_row>& table_rows();

/// "all" or a list of names. Throws tessera::error naming an unknown one and those that exist.
std::vector<table_row> choose_rows(std::string_view text);

index_t evaluate(extents_text product, index_t p_nodes, index_t q_points);

}  // namespace tessera::bench
