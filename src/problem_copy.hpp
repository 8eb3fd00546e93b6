// SPDX-License-Identifier: BSD-3-Clause
// A copy of a plan's problem for one run, without what it does not use.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include <tessera/detail/problem.hpp>

namespace tessera::detail {

/// A copy of what a problem uses. It is more than a kilobyte, most of it second factors and digits of loops, which have
/// to be copied only where there are any.
template <class T>
class problem_copy {
 public:
  explicit problem_copy(const problem<T>& from) {
    static_assert(std::is_trivially_copyable_v<problem<T>> && std::is_standard_layout_v<problem<T>>);
    const int loops = from.out.map.loop_rank;
    if (from.left_factors + from.right_factors > 2 || loops > few_digits) {
      std::memcpy(memory_, &from, sizeof from);
      return;
    }
    copy<0, offsetof(problem<T>, left)>(from);
    if (loops == 0) {
      copy_factors<0>(from);
    } else {
      copy_factors<few_digits>(from);
    }
    copy<offsetof(problem<T>, alpha), sizeof from>(from);
  }
  problem<T>& operator*() { return *std::launder(reinterpret_cast<problem<T>*>(memory_)); }

 private:
  template <std::size_t first, std::size_t last>
  void copy(const problem<T>& from) {
    std::memcpy(memory_ + first, reinterpret_cast<const std::byte*>(&from) + first, last - first);
  }
  // With so many loop digits.
  template <std::size_t digits>
  void copy_factors(const problem<T>& from) {
    copy_factor<offsetof(problem<T>, left), digits>(from);
    copy_factor<offsetof(problem<T>, right), digits>(from);
    copy_factor<offsetof(problem<T>, out), digits>(from);
  }
  template <std::size_t at, std::size_t digits>
  void copy_factor(const problem<T>& from) {
    constexpr std::size_t map = at + offsetof(factor<T>, map), bytes = digits * sizeof(index_t);
    constexpr std::size_t extents = map + offsetof(run_time_map, loop_extent),
                          strides = map + offsetof(run_time_map, loop_stride);
    copy<at, extents + bytes>(from);
    if constexpr (digits > 0) copy<strides, strides + bytes>(from);
    copy<map + offsetof(run_time_map, table), at + sizeof(factor<T>)>(from);
  }
  static constexpr int few_digits = 4;
  alignas(problem<T>) std::byte memory_[sizeof(problem<T>)];
};

}  // namespace tessera::detail
