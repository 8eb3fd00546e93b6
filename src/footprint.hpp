// SPDX-License-Identifier: BSD-3-Clause
// The addresses of an argument's entries, for any kind of argument, and whether two arguments share bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/core/lower.hpp>
#include <tessera/detail/member_list.hpp>

#include "strided_boxes.hpp"

namespace tessera::detail {

struct footprint {
  byte_range hull;                       // around all entries, from the lowest one on
  const member_list* members = nullptr;  // of a group
  /// Of a tensor or a batch. Null: the hull has no gaps.
  const operand_facts* facts = nullptr;
  const std::vector<index_t>* offsets = nullptr;  // of every entry, where the layout is not affine
  index_t entry_bytes = 1, lanes = 1, stride = 0, count = 1;
};

/// The entries of one tensor or batch: a box of whole blocks, one of the last block where it is partly filled; as many
/// for each piece without gaps of a layout that is not affine.
std::vector<strided_box> boxes_of(const footprint& f);

/// The boxes of two arguments, at any distance of their starts.
class box_pairs {
 public:
  box_pairs(std::vector<strided_box> a, std::vector<strided_box> b);
  /// True if two boxes share a byte when b is moved by `distance`, or if that is undecided.
  bool meet(index_t distance) const;
  /// The number of pairs that are checked at most.
  index_t size() const { return index_t(a_.size()) * index_t(b_.size()); }

  static constexpr index_t most = index_t{1} << 20;  // with more, undecided

 private:
  std::vector<strided_box> a_, b_;
  std::optional<box_pair> only_;
};

/// Where entries of two arguments share a byte: the members, `none` for what is not a group.
std::optional<member_list::pair> meeting(const footprint& a, const footprint& b);

/// " (member 3 of the output's group, member 5 of the input's)"; empty where neither is a group.
std::string text_of_meeting(const member_list::pair& output_and_input);

/// True where no two entries of a tensor or batch share a byte.
bool distinct(const footprint& f);

}  // namespace tessera::detail
