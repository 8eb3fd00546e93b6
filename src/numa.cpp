// SPDX-License-Identifier: BSD-3-Clause
// Memory on NUMA nodes, by the system calls mbind and get_mempolicy.
#include <tessera/numa.hpp>

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <string>

#include <tessera/detail/nearest_name.hpp>
#include <tessera/error.hpp>

#include "numa_calls.hpp"

namespace tessera {

namespace {

using detail::numa_calls;

constexpr int most_nodes = 1024;  // Linux's own limit
constexpr int word_bits = 8 * int(sizeof(unsigned long));

std::size_t page_bytes() {
  static const std::size_t bytes = std::size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

struct node_set {
  unsigned long words[most_nodes / word_bits] = {};
  bool has(int node) const { return (words[node / word_bits] >> (node % word_bits) & 1) != 0; }
  void add(int node) { words[node / word_bits] |= 1ul << (node % word_bits); }
};

std::string list_text(const std::vector<int>& nodes) {
  std::string text;
  for (const int node : nodes) text += (text.empty() ? "" : ",") + std::to_string(node);
  return text;
}

std::vector<int> nodes_from(std::string_view list, std::string_view whole) {
  std::vector<int> nodes;
  const char *at = list.data(), *const end = at + list.size();
  for (;;) {
    int node = 0;
    const auto [rest, failed] = std::from_chars(at, end, node);
    if (failed != std::errc{} || node < 0 || (rest != end && *rest != ','))
      throw error("numa: '" + std::string(whole) + "' has no list of nodes such as 0,1 behind the colon");
    nodes.push_back(node);
    if (rest == end) return nodes;
    at = rest + 1;
  }
}

int system_allowed(unsigned long* nodes, unsigned long bits) {
  return syscall(SYS_get_mempolicy, nullptr, nodes, bits, nullptr, MPOL_F_MEMS_ALLOWED) == 0 ? 0 : errno;
}

int system_place(void* memory, std::size_t bytes, int mode, const unsigned long* nodes, unsigned long bits) {
  return syscall(SYS_mbind, memory, bytes, mode, nodes, bits, MPOL_MF_MOVE) == 0 ? 0 : errno;
}

// The kernel counts one bit less than it is given.
void place_on(const numa_calls& calls, void* memory, std::size_t bytes, int mode, const std::vector<int>& nodes) {
  node_set set;
  for (const int node : nodes) set.add(node);
  const int failed = calls.place(memory, bytes, mode, nodes.empty() ? nullptr : set.words,
                                 nodes.empty() ? 0 : static_cast<unsigned long>(most_nodes) + 1);
  if (failed != 0)
    throw error("numa: the system does not place memory on nodes " + list_text(nodes) + ": " + std::strerror(failed) +
                (failed == EPERM ? " (containers need the right to call mbind: CAP_SYS_NICE)" : ""));
}

struct policy_in_force {
  std::mutex guard;
  numa_policy policy;
  bool was_set = false;  // memory that is freed and allocated again may have an earlier policy
};
// Never destroyed: static objects may allocate at exit.
policy_in_force& in_force() {
  static policy_in_force& only = *new policy_in_force;
  return only;
}

}  // namespace

const numa_calls& detail::system_numa_calls() {
  static constexpr numa_calls calls{&system_allowed, &system_place};
  return calls;
}

std::vector<int> detail::nodes_of(const numa_calls& calls) {
  node_set allowed;
  if (calls.allowed(allowed.words, most_nodes) != 0) return {0};
  std::vector<int> nodes;
  for (int node = 0; node < most_nodes; ++node)
    if (allowed.has(node)) nodes.push_back(node);
  return nodes.empty() ? std::vector{0} : nodes;
}

numa_policy detail::checked_policy(const numa_policy& policy, const numa_calls& calls) {
  numa_policy checked = policy;
  if (policy.placement == numa_placement::local) {
    if (!policy.nodes.empty()) throw error("numa: local memory is on the node of each thread, it takes no nodes");
    return checked;
  }
  const std::vector<int> known = nodes_of(calls);
  for (const int node : policy.nodes)
    if (std::find(known.begin(), known.end(), node) == known.end())
      throw error("numa: this process may not use memory of node " + std::to_string(node) + ", but of " +
                  list_text(known));
  if (policy.nodes.empty()) checked.nodes = known;
  if (known.size() == 1) return checked;
  const std::size_t bytes = checked.nodes.size() * page_bytes();
  void* const trial = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (trial == MAP_FAILED) throw error("numa: no memory for a trial", status::out_of_memory);
  try {
    place_memory(trial, bytes, checked, calls);
  } catch (...) {
    munmap(trial, bytes);
    throw;
  }
  munmap(trial, bytes);
  return checked;
}

void detail::place_memory(void* memory, std::size_t bytes, const numa_policy& checked, const numa_calls& calls) {
  switch (checked.placement) {
    case numa_placement::local: return place_on(calls, memory, bytes, MPOL_DEFAULT, {});
    case numa_placement::interleaved: return place_on(calls, memory, bytes, MPOL_INTERLEAVE, checked.nodes);
    case numa_placement::halves: break;
  }
  const std::size_t page = page_bytes(), pages = (bytes + page - 1) / page, parts = checked.nodes.size();
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t first = pages * i / parts, last = pages * (i + 1) / parts;
    if (first < last)
      place_on(calls, static_cast<char*>(memory) + first * page, (last - first) * page, MPOL_BIND, {checked.nodes[i]});
  }
}

void detail::place_by_policy(void* memory, std::size_t bytes) {
  numa_policy now;
  {
    const std::lock_guard hold(in_force().guard);
    if (!in_force().was_set) return;
    now = in_force().policy;
  }
  place_memory(memory, bytes, now, system_numa_calls());
}

void detail::forget_policy(void* memory, std::size_t bytes) noexcept {
  {
    const std::lock_guard hold(in_force().guard);
    if (!in_force().was_set) return;
  }
  system_numa_calls().place(memory, bytes / page_bytes() * page_bytes(), MPOL_DEFAULT, nullptr, 0);
}

numa_policy numa_policy_from_text(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<std::string_view> known;
  for (const numa_placement p : {numa_placement::local, numa_placement::interleaved, numa_placement::halves}) {
    known.emplace_back(name_of(p));
    if (name != name_of(p)) continue;
    numa_policy policy{p};
    if (colon != std::string_view::npos) policy.nodes = nodes_from(text.substr(colon + 1), text);
    if (p == numa_placement::local && colon != std::string_view::npos)
      throw error("numa: '" + std::string(text) + "': local memory is on the node of each thread, it takes no nodes");
    return policy;
  }
  throw error("numa: no policy is called '" + std::string(name) + "'" + did_you_mean(name, known) +
              "; known: local, interleaved, halves, the last two also with nodes: halves:1,0");
}

std::string text_of(const numa_policy& policy) {
  return name_of(policy.placement) + (policy.nodes.empty() ? "" : ":" + list_text(policy.nodes));
}

std::vector<int> numa_nodes() { return detail::nodes_of(detail::system_numa_calls()); }

std::string set_numa_policy(const numa_policy& policy) {
  const numa_calls& calls = detail::system_numa_calls();
  const numa_policy checked = detail::checked_policy(policy, calls);
  const bool is_local = policy.placement == numa_placement::local;
  const std::vector<int> nodes = numa_nodes();
  const std::lock_guard hold(in_force().guard);
  if (nodes.size() == 1) {
    return is_local ? "" : "numa: " + text_of(policy) + " has no effect: all memory is on node " + list_text(nodes);
  }
  in_force().policy = checked;
  in_force().was_set = in_force().was_set || !is_local;
  return "";
}

}  // namespace tessera
