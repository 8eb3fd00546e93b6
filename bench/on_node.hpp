// SPDX-License-Identifier: BSD-3-Clause
// Runs the calling thread on the cores of one NUMA node, for copies whose speed depends on where the host's end is.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

/// "0-3,8,10-11": the numbers of cores as Linux lists them. Throws quoting a text that is no such list.
std::vector<int> parse_cores(const std::string& text);

/// While it exists, the calling thread runs on the node's cores, as far as the process may use them.
class on_node {
 public:
  explicit on_node(int node);
  ~on_node();
  on_node(const on_node&) = delete;
  on_node& operator=(const on_node&) = delete;

  /// False: the system has no such node, or the process may use none of its cores, and the thread stays where it is.
  bool moved() const { return before_ != nullptr; }

 private:
  struct cores;
  std::unique_ptr<cores> before_;
};

}  // namespace tessera::bench
