// SPDX-License-Identifier: BSD-3-Clause
// Members of groups: their order in memory, what they share, and their addresses on the device.
#include <tessera/member_list.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

#include <tessera/gpu/runtime.hpp>
#include <tessera/operand.hpp>

namespace tessera {

namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// Entries of one tensor that lie side by side, in bytes from its start.
struct run {
  index_t start, bytes;
};

std::vector<run> runs_of(const operand& tensor) {
  std::vector<index_t> offsets;
  for (index_t i = 0; i < tensor.entries(); ++i) offsets.push_back(tensor.offset(i, 0));
  std::sort(offsets.begin(), offsets.end());
  std::vector<run> runs;
  for (const index_t offset : offsets) {
    const index_t at = offset * index_t(tensor.entry_bytes);
    if (!runs.empty() && at <= runs.back().start + runs.back().bytes)
      runs.back().bytes = at + index_t(tensor.entry_bytes) - runs.back().start;
    else
      runs.push_back({at, index_t(tensor.entry_bytes)});
  }
  return runs;
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
      id_(next_id()) {
  if (span_ == 0 || starts_.empty()) return;
  const auto null = std::find(starts_.begin(), starts_.end(), nullptr);
  if (null != starts_.end())
    throw error(name_of_member(operation, null - starts_.begin(), member) + " is a null pointer", status::null_pointer);
  if (!std::is_sorted(starts_.begin(), starts_.end(), std::less<>())) {
    order_.resize(starts_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](index_t a, index_t b) { return start(a) < start(b); });
  }
  hull_ = {sorted(0), sorted(count() - 1) + span_};
  if (member.space == space_kind::cpu) return;
  const std::size_t bytes = starts_.size() * sizeof(const void*);
  device_ = buffer(space_kind::gpu, bytes);
  for (index_t b = 0; b < count(); ++b)
    if (!device::is_device_pointer(start(b)))
      throw error(name_of_member(operation, b, member) + " is not in device memory", status::wrong_space);
  device::copy(device_.data(), starts_.data(), bytes, device::direction::host_to_device);
}

index_t member_list::member_in(const byte_range& range) const {
  if (!hull_.meets(range)) return none;
  // The first that ends behind the range's start: all of them are equally long.
  index_t low = 0, high = count();
  while (low < high) {
    const index_t middle = (low + high) / 2;
    if (sorted(middle) + span_ <= range.first)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count() && sorted(low) < range.last ? by_address(low) : none;
}

std::optional<member_list::pair> member_list::meeting(const member_list& other) const {
  if (!hull_.meets(other.hull_) || apart_from_ == other.id_) return std::nullopt;
  for (index_t mine = 0, theirs = 0; mine < count() && theirs < other.count();) {
    if (sorted(mine) + span_ <= other.sorted(theirs))
      ++mine;
    else if (other.sorted(theirs) + other.span_ <= sorted(mine))
      ++theirs;
    else
      return pair{by_address(mine), other.by_address(theirs)};
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
  // They reach into each other's gaps, as the tiles of one large matrix do: all their runs are compared.
  struct piece {
    const char *first, *last;
    index_t member;
  };
  std::vector<piece> pieces;
  const std::vector<run> runs = runs_of(*member_);
  for (index_t b = 0; b < count(); ++b)
    for (const run& r : runs) {
      const char* first = static_cast<const char*>(start(b)) + r.start;
      pieces.push_back({first, first + r.bytes, b});
    }
  std::sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (pieces[i].first < pieces[i - 1].last)
      return pair{std::min(pieces[i - 1].member, pieces[i].member), std::max(pieces[i - 1].member, pieces[i].member)};
  return std::nullopt;
}

std::optional<member_list::pair> meeting(const footprint& a, const footprint& b) {
  if (!a.hull.meets(b.hull)) return std::nullopt;
  if (a.members != nullptr && b.members != nullptr) return a.members->meeting(*b.members);
  const member_list::pair met{a.members ? a.members->member_in(b.hull) : member_list::none,
                              b.members ? b.members->member_in(a.hull) : member_list::none};
  const bool has_group = a.members != nullptr || b.members != nullptr;
  if (has_group && met.first == member_list::none && met.second == member_list::none) return std::nullopt;
  return met;
}

std::string text_of_meeting(const member_list::pair& met) {
  std::string text;
  if (met.first != member_list::none) text += "member " + std::to_string(met.first) + " of the output's group";
  if (met.second != member_list::none)
    text += (text.empty() ? "" : ", ") + ("member " + std::to_string(met.second)) + " of the input's";
  if (text.empty()) return text;
  return " (" + text + (met.first == member_list::none ? " group)" : ")");
}

}  // namespace tessera
