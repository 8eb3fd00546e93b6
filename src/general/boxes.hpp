// SPDX-License-Identifier: BSD-3-Clause
// Boxes of one list of digits, without those that another box beats in every respect.
#pragma once

#include <vector>

#include <tessera/detail/general_tile.hpp>

namespace tessera::detail {

/// Limits of the tiles that are searched: lines of a box, more where sectors have more entries, entries of the sum, and
/// bytes of the sums of a warp.
constexpr int most_lines(general_by by) { return by == general_by::mma_f64 ? 256 : 512; }
inline constexpr int most_inner = 64, most_of_warp = 19200;

struct digit_box {
  int at[max_rank]{};
  int size = 1;       // entries
  index_t count = 1;  // boxes that cover the digits
};

/// The sizes of a digit's box that are tried.
std::vector<int> box_sizes_of(index_t extent);

/// How many boxes there are of the sizes that are tried, whatever their product.
double number_of_boxes(const general_digits& of);

/// Those of at most `most` entries. Of very many digits the farthest, but not the nearest one of `input`, are held
/// whole or not at all.
std::vector<digit_box> boxes_up_to(const general_digits& of, int most, index_t general_digit::*input);

/// What makes a box good, less is better: by how much it covers too many entries, and traffic with two tensors.
struct box_worth {
  double covered = 0, first = 0, second = 0;
};

/// Of boxes that fill the same number of instructions (sizes up to a multiple of `instruction`) those that no other one
/// beats, or nearly beats, in everything.
std::vector<digit_box> useful_boxes(const std::vector<digit_box>& boxes, const std::vector<box_worth>& worth,
                                    int instruction);

}  // namespace tessera::detail
