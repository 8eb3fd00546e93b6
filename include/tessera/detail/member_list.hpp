// SPDX-License-Identifier: BSD-3-Clause
// The members of a group on the host: their addresses, and which of them share entries.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/memory.hpp>

namespace tessera {

struct operand;

namespace detail {
struct strided_box;
}

/// Bytes [first, last) of memory.
struct byte_range {
  const char *first = nullptr, *last = nullptr;
  bool meets(const byte_range& other) const {
    return first < last && other.first < other.last && first < other.last && other.first < last;
  }
};

/// The addresses of the members of a group, checked once. Immutable, so that views and runs share it.
class member_list {
 public:
  static constexpr index_t none = -1;
  /// Members whose address ranges overlap are compared pair by pair. More pairs than this count as a conflict.
  static constexpr index_t most_pairs = index_t{1} << 26;
  struct pair {
    index_t first, second;
  };

  /// All members have the layout of `member`, whose pointer is ignored. The addresses of members in device memory are
  /// also copied to the device. Throws status::null_pointer or status::wrong_space naming `operation`, the member and
  /// its extents.
  member_list(const char* operation, const operand& member, std::vector<const void*> starts);

  index_t count() const { return index_t(starts_.size()); }
  const void* start(index_t b) const { return starts_[std::size_t(b)]; }
  /// Where the member's lowest entry begins.
  const char* lowest(index_t b) const { return static_cast<const char*>(start(b)) - before_; }
  /// From the first byte of the lowest member to the last one of the highest.
  const byte_range& hull() const { return hull_; }
  /// The addresses in device memory, for members that are there.
  const void* in_device_memory() const { return device_.data(); }

  /// The i-th member in the order of addresses.
  index_t by_address(index_t i) const { return order_.empty() ? i : order_[std::size_t(i)]; }
  /// The first of them that ends behind `address`, count() if there is none.
  index_t first_behind(const char* address) const;
  /// The entries of a member, relative to its lowest one. Precondition: there are members.
  std::vector<detail::strided_box> boxes() const;
  /// A member and one of the other list whose entries share bytes.
  std::optional<pair> meeting(const member_list& other) const;
  /// Two members that share an entry, which is an error for an output. Computed once.
  const std::optional<pair>& clash() const;

 private:
  const char* sorted(index_t i) const { return lowest(by_address(i)); }
  std::optional<pair> find_clash() const;

  std::vector<const void*> starts_;
  std::vector<index_t> order_;  // members by address; empty where that is their own order
  std::shared_ptr<const operand> member_;
  index_t span_ = 0;    // bytes from the lowest to the end of the highest entry of a member
  index_t before_ = 0;  // bytes from the lowest entry of a member to its start
  byte_range hull_;
  buffer device_;
  std::uint64_t id_;
  mutable std::atomic<std::uint64_t> apart_from_{0};  // the list that it was last compared with, without a conflict
  mutable std::once_flag looked_;
  mutable std::optional<pair> clash_;
};

}  // namespace tessera
