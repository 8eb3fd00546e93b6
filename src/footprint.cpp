// SPDX-License-Identifier: BSD-3-Clause
// Footprints as strided boxes.
#include "footprint.hpp"

#include <algorithm>
#include <cstdlib>

namespace tessera::detail {

namespace {

std::uintptr_t address(const char* p) { return reinterpret_cast<std::uintptr_t>(p); }

// Entries without gaps, from `start` on, counted in entries.
struct piece {
  index_t start, entries;
};

// From sorted offsets, each being that of the first of `lanes` entries.
std::vector<piece> pieces_of(const std::vector<index_t>& sorted, index_t lanes) {
  std::vector<piece> pieces;
  for (const index_t at : sorted) {
    if (!pieces.empty() && at <= pieces.back().start + pieces.back().entries)
      pieces.back().entries = std::max(pieces.back().entries, at + lanes - pieces.back().start);
    else
      pieces.push_back({at, lanes});
  }
  return pieces;
}

std::vector<index_t> in_order(std::vector<index_t> offsets) {
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

// `blocks` blocks, the first being number `first`, of `lanes` interleaved tensors each.
void append_boxes(const footprint& f, index_t first, index_t blocks, index_t lanes, std::vector<strided_box>& to) {
  if (blocks <= 0 || lanes <= 0) return;
  const auto begin = [&](index_t offset, index_t entries) {
    strided_box box{.start = address(f.hull.first) + std::uintptr_t((first * f.stride + offset) * f.entry_bytes),
                    .width = entries * f.entry_bytes};
    box.add(f.stride, blocks, f.entry_bytes);
    return box;
  };
  if (f.offsets != nullptr) {
    for (const piece& p : pieces_of(in_order(*f.offsets), lanes)) to.push_back(begin(p.start, p.entries));
    return;
  }
  strided_box box = begin(0, 1);
  // From the lowest entry on, whatever the direction.
  for (int d = 0; d < f.facts->rank; ++d) {
    const index_t extent = f.facts->extent[d];
    box.add(extent > 1 ? std::abs(f.facts->stride[d]) : 0, extent, f.entry_bytes);
  }
  box.add(f.entry_bytes, lanes);
  to.push_back(box);
}

// The entries of a block are listed: lanes of them start at each offset.
bool distinct_offsets(const std::vector<index_t>& offsets, index_t lanes) {
  if (offsets.size() < 2) return true;
  const auto [lowest, highest] = std::minmax_element(offsets.begin(), offsets.end());
  if ((*highest - *lowest) / lanes < index_t(offsets.size()) - 1) return false;  // more entries than the span has
  const std::vector<index_t> sorted = in_order(offsets);
  return std::adjacent_find(sorted.begin(), sorted.end(), [lanes](index_t a, index_t b) { return b - a < lanes; }) ==
         sorted.end();
}

// The members, by address, that overlap the argument's bytes.
index_t member_that_meets(const member_list& members, const footprint& f) {
  const box_pairs pairs(members.boxes(), boxes_of(f));
  index_t looked_at = 0;
  for (index_t i = members.first_behind(f.hull.first); i < members.count(); ++i) {
    const index_t member = members.by_address(i);
    const char* const start = members.lowest(member);
    if (start >= f.hull.last) break;
    looked_at += pairs.size();
    // The boxes of the argument have its addresses, those of a member start at 0.
    if (looked_at > member_list::most_pairs || pairs.meet(-index_t(address(start)))) return member;
  }
  return member_list::none;
}

}  // namespace

std::vector<strided_box> boxes_of(const footprint& f) {
  std::vector<strided_box> boxes;
  if (f.hull.first == f.hull.last) return boxes;
  if (f.facts == nullptr) {
    boxes.push_back({.start = address(f.hull.first), .width = f.hull.last - f.hull.first});
    return boxes;
  }
  const index_t whole = f.count / f.lanes;
  append_boxes(f, 0, whole, f.lanes, boxes);
  append_boxes(f, whole, 1, f.count % f.lanes, boxes);
  return boxes;
}

box_pairs::box_pairs(std::vector<strided_box> a, std::vector<strided_box> b) : a_(std::move(a)), b_(std::move(b)) {
  if (size() == 1) only_.emplace(a_.front(), b_.front());
}

bool box_pairs::meet(index_t distance) const {
  if (only_) return only_->meet(index_t(b_.front().start - a_.front().start) + distance);
  if (size() > most) return true;
  for (const strided_box& a : a_)
    for (strided_box b : b_) {
      b.start += std::uintptr_t(distance);
      if (detail::meet(a, b)) return true;
    }
  return false;
}

std::optional<member_list::pair> meeting(const footprint& a, const footprint& b) {
  if (!a.hull.meets(b.hull)) return std::nullopt;
  constexpr index_t none = member_list::none;
  member_list::pair met{none, none};
  if (a.members != nullptr && b.members != nullptr) return a.members->meeting(*b.members);
  if (a.members != nullptr) {
    met.first = member_that_meets(*a.members, b);
    return met.first == none ? std::nullopt : std::optional(met);
  }
  if (b.members != nullptr) {
    met.second = member_that_meets(*b.members, a);
    return met.second == none ? std::nullopt : std::optional(met);
  }
  return box_pairs(boxes_of(a), boxes_of(b)).meet(0) ? std::optional(met) : std::nullopt;
}

std::string text_of_meeting(const member_list::pair& met) {
  std::string text;
  if (met.first != member_list::none) text += "member " + std::to_string(met.first) + " of the output's group";
  if (met.second != member_list::none)
    text += (text.empty() ? "" : ", ") + ("member " + std::to_string(met.second)) + " of the input's";
  if (text.empty()) return text;
  return " (" + text + (met.first == member_list::none ? " group)" : ")");
}

bool distinct(const footprint& f) {
  const index_t lanes = std::min(f.lanes, f.count);
  if (f.hull.first == f.hull.last) return true;
  if (f.offsets != nullptr && !distinct_offsets(*f.offsets, lanes)) return false;
  if (f.offsets != nullptr && f.count <= f.lanes) return true;
  const std::vector<strided_box> boxes = boxes_of(f);
  if (index_t(boxes.size()) * index_t(boxes.size()) > box_pairs::most) return false;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (hits_itself(boxes[i])) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (meet(boxes[i], boxes[j])) return false;
  }
  return true;
}

}  // namespace tessera::detail
