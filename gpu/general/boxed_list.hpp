// SPDX-License-Identifier: BSD-3-Clause
// The digits of one side of a general contraction with the boxes of a tile, and their text as template arguments.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/detail/general_tile.hpp>

namespace tessera::device {

struct boxed_entry {
  general_digit of;
  int box = 1;
};
using boxed_list = std::vector<boxed_entry>;
using stride_of = index_t general_digit::*;

boxed_list with_boxes(const general_digits& digits, const int (&box)[max_rank]);
int size_of(const boxed_list& digits);
/// Boxes that cover them.
index_t boxes_of(const boxed_list& digits);
/// Nearest first.
void by_distance(boxed_list& digits, stride_of in);
inline index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }

/// "tessera::device::numbers<3, 4>".
std::string numbers_text(const std::vector<int>& values);
std::string numbers_text(const boxed_list& digits, const std::function<index_t(const boxed_entry&)>& of);
std::string numbers_text(const boxed_list& digits, stride_of in);
/// "tessera::device::boxed<extents, boxes>".
std::string boxed_text(const boxed_list& digits);

}  // namespace tessera::device
