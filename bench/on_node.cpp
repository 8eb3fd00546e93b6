// SPDX-License-Identifier: BSD-3-Clause
// Moves a thread to a NUMA node by the system's masks of cores.
#include "on_node.hpp"

#include <sched.h>

#include <fstream>

#include "measure/numbers.hpp"
#include "sizes.hpp"

namespace tessera::bench {

struct on_node::cores {
  cpu_set_t set{};
};

std::vector<int> parse_cores(const std::string& text) {
  std::vector<int> all;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto number = [&](std::string_view of) {
      return int(parse_integer(of, "cores (a list such as 0-3,8)", 0, CPU_SETSIZE - 1));
    };
    const int first = number(part.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    for (int core = first; core <= last; ++core) all.push_back(core);
  }
  return all;
}

on_node::on_node(int node) {
  std::ifstream in("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
  std::string text;
  auto before = std::make_unique<cores>();
  if (!std::getline(in, text) || text.empty()) return;
  if (sched_getaffinity(0, sizeof before->set, &before->set) != 0) return;
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (const int core : parse_cores(text))
    if (CPU_ISSET(std::size_t(core), &before->set)) CPU_SET(std::size_t(core), &wanted);
  if (CPU_COUNT(&wanted) > 0 && sched_setaffinity(0, sizeof wanted, &wanted) == 0) before_ = std::move(before);
}

on_node::~on_node() {
  if (before_) sched_setaffinity(0, sizeof before_->set, &before_->set);
}

}  // namespace tessera::bench
