// SPDX-License-Identifier: BSD-3-Clause
// One thread of a group, and the requirements on a group in device-side kernels.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Number `rank` of `size()` threads. The size is a constant if the type of the group has it, else Size is 0.
template <int Size>
struct member {
  int rank = 0;
  static constexpr int size() { return Size; }
};
template <>
struct member<0> {
  int rank = 0, count = 1;
  constexpr int size() const { return count; }
};

/// Any object that numbers its threads is a group: those of groups.cuh by rank(), those of cooperative_groups by
/// thread_rank().
template <class Group>
concept thread_group = requires(const Group& g) {
  int(g.size());
  g.sync();
}
&&(
    requires(const Group& g) { int(g.rank()); } || requires(const Group& g) { int(g.thread_rank()); });

template <class Group>
concept counted_by_type = requires {
  typename constant<index_t(Group::size())>;
};

}  // namespace tessera::device
