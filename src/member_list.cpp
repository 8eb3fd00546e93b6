// SPDX-License-Identifier: BSD-3-Clause
// Members of groups: their order in memory, what they share, and their addresses on the device.
#include <tessera/detail/member_list.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

#include <tessera/gpu/detail/upload.hpp>
#include <tessera/operand.hpp>

#include "footprint.hpp"

namespace tessera {

namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::string name_of_member(const char* operation, index_t b, const operand& member) {
  return std::string(operation) + ": member " + std::to_string(b) + " of extents " +
         text_of(member.facts.extent, member.facts.rank);
}

}  // namespace

member_list::member_list(const char* operation, const operand& member, std::vector<const void*> starts)
    : starts_(std::move(starts)),
      member_(std::make_shared<operand>(member)),
      span_(member.span * index_t(member.entry_bytes)),
      before_(member.facts.before() * index_t(member.entry_bytes)),
      id_(next_id()) {
  if (span_ == 0 || starts_.empty()) return;
  const auto null = std::find(starts_.begin(), starts_.end(), nullptr);
  if (null != starts_.end())
    throw error(name_of_member(operation, null - starts_.begin(), member) + " is a null pointer", status::null_pointer);
  if (!std::is_sorted(starts_.begin(), starts_.end(), std::less<>())) {
    order_.resize(starts_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](index_t a, index_t b) { return std::less<>()(start(a), start(b)); });
  }
  hull_ = {sorted(0), sorted(count() - 1) + span_};
  if (member.space == space_kind::cpu) return;
  for (index_t b = 0; b < count(); ++b)
    if (!device::is_device_pointer(start(b)))
      throw error(name_of_member(operation, b, member) + " is not in device memory", status::wrong_space);
  device_ = device::uploaded(starts_);
}

index_t member_list::first_behind(const char* address) const {
  // The first that ends behind the address: all members have the same span.
  index_t low = 0, high = count();
  while (low < high) {
    const index_t middle = (low + high) / 2;
    if (sorted(middle) + span_ <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::vector<detail::strided_box> member_list::boxes() const {
  std::vector<detail::strided_box> all = detail::boxes_of({.hull = {sorted(0), sorted(0) + span_},
                                                           .facts = &member_->facts,
                                                           .offsets = member_->offsets.get(),
                                                           .entry_bytes = index_t(member_->entry_bytes)});
  for (detail::strided_box& box : all) box.start -= reinterpret_cast<std::uintptr_t>(sorted(0));
  return all;
}

std::optional<member_list::pair> member_list::meeting(const member_list& other) const {
  if (!hull_.meets(other.hull_) || apart_from_ == other.id_) return std::nullopt;
  std::optional<detail::box_pairs> pairs;  // made if address ranges of members overlap
  index_t looked_at = 0;
  for (index_t mine = 0, first = 0; mine < count(); ++mine) {
    while (first < other.count() && other.sorted(first) + other.span_ <= sorted(mine)) ++first;
    for (index_t theirs = first; theirs < other.count() && other.sorted(theirs) < sorted(mine) + span_; ++theirs) {
      if (!pairs) pairs.emplace(boxes(), other.boxes());
      looked_at += pairs->size();
      if (looked_at > most_pairs || pairs->meet(other.sorted(theirs) - sorted(mine)))
        return pair{by_address(mine), other.by_address(theirs)};
    }
  }
  apart_from_ = other.id_;
  return std::nullopt;
}

const std::optional<member_list::pair>& member_list::clash() const {
  std::call_once(looked_, [&] { clash_ = find_clash(); });
  return clash_;
}

std::optional<member_list::pair> member_list::find_clash() const {
  if (span_ == 0) return std::nullopt;
  bool apart = true;
  for (index_t i = 1; i < count(); ++i) {
    if (sorted(i) == sorted(i - 1)) return pair{by_address(i - 1), by_address(i)};
    apart = apart && sorted(i - 1) + span_ <= sorted(i);
  }
  if (apart) return std::nullopt;
  // Their address ranges overlap without shared entries, as for the tiles of one large matrix.
  const detail::box_pairs pairs(boxes(), boxes());
  index_t looked_at = 0;
  for (index_t i = 0; i < count(); ++i)
    for (index_t j = i + 1; j < count() && sorted(j) < sorted(i) + span_; ++j) {
      looked_at += pairs.size();
      if (looked_at > most_pairs || pairs.meet(sorted(j) - sorted(i)))
        return pair{std::min(by_address(i), by_address(j)), std::max(by_address(i), by_address(j))};
    }
  return std::nullopt;
}

}  // namespace tessera
