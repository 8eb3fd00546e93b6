// SPDX-License-Identifier: BSD-3-Clause
// The system calls that place memory on NUMA nodes, as a value that tests replace.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tessera/numa.hpp>

namespace tessera::detail {

struct numa_calls {
  /// Bit n of word n / 64: this process may use memory of node n. 0, or an error number.
  int (*allowed)(unsigned long* nodes, unsigned long bits);
  /// Memory of a range of whole pages by a mode of <linux/mempolicy.h>; pages that exist are moved. 0, or an error
  /// number.
  int (*place)(void* memory, std::size_t bytes, int mode, const unsigned long* nodes, unsigned long bits);
};

/// Those of Linux.
const numa_calls& system_numa_calls();

std::vector<int> nodes_of(const numa_calls& calls);

/// What set_numa_policy does before it takes the policy: the nodes filled in and checked, and a page for each placed on
/// trial.
numa_policy checked_policy(const numa_policy& policy, const numa_calls& calls);

/// Places memory that begins on a page, of whole pages. Throws.
void place_memory(void* memory, std::size_t bytes, const numa_policy& checked, const numa_calls& calls);

/// By the policy that is set; nothing while none but `local` has been.
void place_by_policy(void* memory, std::size_t bytes);

/// Before memory goes back to the system's allocator, which may give it to others.
void forget_policy(void* memory, std::size_t bytes) noexcept;

}  // namespace tessera::detail
