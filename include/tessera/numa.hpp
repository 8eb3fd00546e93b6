// SPDX-License-Identifier: BSD-3-Clause
// On which NUMA nodes the library's host memory is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

enum class numa_placement {
  local,        // each page on the node of the thread that touches it first (the system's default)
  interleaved,  // page by page on one node after the other
  halves,       // equal contiguous parts, one a node: halves on two of them
};

constexpr const char* name_of(numa_placement p) {
  return p == numa_placement::local ? "local" : p == numa_placement::interleaved ? "interleaved" : "halves";
}

struct numa_policy {
  numa_placement placement = numa_placement::local;
  /// In this order; empty: all nodes whose memory this process may use.
  std::vector<int> nodes{};
};

/// "local", "interleaved", "halves", the last two also with nodes: "halves:1,0". Throws for other texts.
numa_policy numa_policy_from_text(std::string_view text);
/// The same text.
std::string text_of(const numa_policy& policy);

/// The nodes whose memory this process may use, ascending; {0} where the system does not say.
std::vector<int> numa_nodes();

/// From now on host memory of 4 MiB and more that the library allocates is placed so; an allocator of the user's is
/// not affected. Returns a notice where that has no effect, because there is one node only, and "" otherwise. Throws
/// for nodes whose memory this process may not use, and where the system refuses to place memory.
std::string set_numa_policy(const numa_policy& policy);

}  // namespace tessera
