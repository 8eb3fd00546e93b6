// SPDX-License-Identifier: BSD-3-Clause
// How a block of a GPU works on a general contraction: a box of rows, columns and inner indices, and who does what.
#pragma once

#include <string>

#include <tessera/core/general.hpp>

namespace tessera::detail {

/// Boxes are in the digits of a general_form, in its order; the box of a digit is at most its extent. Rows and columns
/// of the tensor cores' instruction are 16 and 8: `exchanged` puts the form's columns on the side of 16.
struct general_tile {
  bool exchanged = false;
  int rows[max_rank]{}, cols[max_rank]{}, inner[max_rank]{};
  int warps_down = 2, warps_across = 2;  // on the sides of 16 and of 8
  int stages = 3;                        // of the pipeline from memory to shared memory; 1: none
  int splits = 1;                        // blocks of a cluster that share a tile's sum, 1 to 8
  int panel = 0;                         // boxes of the side that is farther in the output, of tiles that run together

  constexpr int threads() const { return 32 * warps_down * warps_across; }
};

/// Entries of the box.
constexpr int size_of_box(const int (&box)[max_rank], const general_digits& of) {
  int product = 1;
  for (int i = 0; i < of.count; ++i) product *= box[i];
  return product;
}
/// Boxes that cover the digits.
constexpr index_t boxes_of(const int (&box)[max_rank], const general_digits& of) {
  index_t product = 1;
  for (int i = 0; i < of.count; ++i) product *= (of.at[i].extent + box[i] - 1) / box[i];
  return product;
}

/// Entries of the block's tile that its warps are for: the box, filled up to whole instructions for each warp.
constexpr int padded(int box, int warps, int instruction) {
  const int whole = warps * instruction;
  return (box + whole - 1) / whole * whole;
}

/// "rows 24x4, columns 2x72, sum 1x8, 2x4 warps, 3 stages".
std::string text_of(const general_tile& tile, const general_form& of);

}  // namespace tessera::detail
