// SPDX-License-Identifier: BSD-3-Clause
// NUMA policies: their texts; which part of the memory goes to which node, by calls that are recorded; and, by the
// system's own calls, where pages are.
#include <tessera/memory.hpp>
#include <tessera/numa.hpp>

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "numa_calls.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
char some_memory[9 * (std::size_t{64} << 10)];

struct placed {
  char* memory;
  std::size_t bytes;
  int mode;
  unsigned long nodes;
};
std::vector<placed> recorded;
int refusal = 0;

// Nodes 0, 2 and 5 of a machine.
int three_nodes(unsigned long* nodes, unsigned long) {
  nodes[0] = 1 | 4 | 32;
  return 0;
}
int one_node(unsigned long* nodes, unsigned long) {
  nodes[0] = 1;
  return 0;
}
int unknown_nodes(unsigned long*, unsigned long) { return ENOSYS; }
int record(void* memory, std::size_t bytes, int mode, const unsigned long* nodes, unsigned long bits) {
  recorded.push_back({static_cast<char*>(memory), bytes, mode, bits == 0 ? 0 : nodes[0]});
  return refusal;
}

constexpr detail::numa_calls three{&three_nodes, &record}, one{&one_node, &record}, unknown{&unknown_nodes, &record};

// What is placed of `bytes` bytes.
std::vector<placed> placing(const char* text, std::size_t bytes) {
  const numa_policy policy = detail::checked_policy(numa_policy_from_text(text), three);
  recorded.clear();
  detail::place_memory(some_memory, bytes, policy, three);
  return recorded;
}

// The node of each page, or a negative error number.
std::vector<int> nodes_of_pages(char* memory, std::size_t count) {
  std::vector<void*> pages;
  for (std::size_t i = 0; i < count; ++i) pages.push_back(memory + i * page);
  std::vector<int> nodes(count, -1);
  if (syscall(SYS_move_pages, 0, count, pages.data(), nullptr, nodes.data(), 0) != 0) return {};
  return nodes;
}

}  // namespace

TEST_CASE("NUMA policies as text", "[numa]") {
  for (const char* text : {"local", "interleaved", "halves", "interleaved:0", "halves:1,0", "halves:0,3,2"})
    CHECK(text_of(numa_policy_from_text(text)) == text);
  CHECK(numa_policy_from_text("halves:1,0").nodes == std::vector{1, 0});
  check_failure(status::invalid_argument, {"'interleave' (did you mean 'interleaved'?)", "known: local"},
                [] { numa_policy_from_text("interleave"); });
  check_failure(status::invalid_argument, {"local:0", "takes no nodes"}, [] { numa_policy_from_text("local:0"); });
  for (const char* text : {"halves:", "halves:a", "halves:0,", "halves:0 1", "halves:-1", "halves:99999999999"})
    check_failure(status::invalid_argument, {text, "list of nodes"}, [&] { numa_policy_from_text(text); });
}

TEST_CASE("the nodes of a machine", "[numa]") {
  CHECK(detail::nodes_of(three) == std::vector{0, 2, 5});
  CHECK(detail::nodes_of(one) == std::vector{0});
  CHECK(detail::nodes_of(unknown) == std::vector{0});
  CHECK_FALSE(numa_nodes().empty());
}

TEST_CASE("interleaved memory is one range over all nodes, or those that are named", "[numa]") {
  const std::vector<placed> all = placing("interleaved", 7 * page);
  REQUIRE(all.size() == 1);
  CHECK((all[0].memory == some_memory && all[0].bytes == 7 * page && all[0].mode == MPOL_INTERLEAVE));
  CHECK(all[0].nodes == (1 | 4 | 32));
  CHECK(placing("interleaved:5,2", page)[0].nodes == (4 | 32));
}

TEST_CASE("halves are contiguous parts that cover the memory, in the order of the nodes", "[numa]") {
  const std::vector<placed> halves = placing("halves:5,0", 7 * page);
  REQUIRE(halves.size() == 2);
  CHECK((halves[0].memory == some_memory && halves[0].bytes == 3 * page && halves[0].nodes == 32));
  CHECK((halves[1].memory == halves[0].memory + 3 * page && halves[1].bytes == 4 * page && halves[1].nodes == 1));
  CHECK((halves[0].mode == MPOL_BIND && halves[1].mode == MPOL_BIND));
  const std::vector<placed> thirds = placing("halves", 9 * page);
  REQUIRE(thirds.size() == 3);
  CHECK((thirds[0].nodes == 1 && thirds[1].nodes == 4 && thirds[2].nodes == 32));
  CHECK(std::all_of(thirds.begin(), thirds.end(), [](const placed& p) { return p.bytes == 3 * page; }));
  CHECK(placing("halves", page).size() == 1);
}

TEST_CASE("local memory gets the system's default back", "[numa]") {
  const std::vector<placed> all = placing("local", 3 * page);
  REQUIRE(all.size() == 1);
  CHECK((all[0].mode == MPOL_DEFAULT && all[0].nodes == 0 && all[0].bytes == 3 * page));
}

TEST_CASE("nodes that are not there, and refusals of the system, are errors", "[numa]") {
  check_failure(status::invalid_argument, {"node 1", "0,2,5"},
                [] { detail::checked_policy(numa_policy_from_text("halves:0,1"), three); });
  check_failure(status::invalid_argument, {"node 1", "but of 0"},
                [] { detail::checked_policy(numa_policy_from_text("halves:0,1"), one); });
  check_failure(status::invalid_argument, {"takes no nodes"}, [] {
    detail::checked_policy({numa_placement::local, {0}}, three);
  });
  refusal = EPERM;
  check_failure(status::invalid_argument, {"nodes 0,2,5", std::strerror(EPERM), "CAP_SYS_NICE"},
                [] { detail::checked_policy(numa_policy_from_text("interleaved"), three); });
  refusal = 0;
}

TEST_CASE("a policy is tried on a page of each node", "[numa]") {
  recorded.clear();
  detail::checked_policy(numa_policy_from_text("halves:5,0"), three);
  REQUIRE(recorded.size() == 2);
  CHECK((recorded[0].nodes == 32 && recorded[1].nodes == 1));
  CHECK((recorded[0].bytes == page && recorded[1].memory == recorded[0].memory + page));
}

TEST_CASE("with one node a policy is a notice", "[numa]") {
  if (numa_nodes().size() > 1) return skip("this machine has several NUMA nodes");
  CHECK(set_numa_policy({}).empty());
  const std::string notice = set_numa_policy(numa_policy_from_text("interleaved"));
  INFO(notice);
  CHECK(notice.find("interleaved has no effect: all memory is on node") != std::string::npos);
  const buffer memory(space_kind::cpu, std::size_t{8} << 20);
  CHECK(static_cast<const char*>(memory.data())[12345] == 0);
}

TEST_CASE("the library's memory is on the nodes of the policy", "[numa]") {
  const std::vector<int> nodes = numa_nodes();
  if (nodes.size() == 1) return skip("this machine has one NUMA node");
  REQUIRE(set_numa_policy({numa_placement::halves, {nodes[1], nodes[0]}}).empty());
  constexpr std::size_t bytes = std::size_t{8} << 20;
  {
    const buffer memory(space_kind::cpu, bytes);
    const std::vector<int> found = nodes_of_pages(static_cast<char*>(memory.data()), bytes / page);
    REQUIRE(found.size() == bytes / page);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == nodes[i < found.size() / 2 ? 1 : 0]);
  }
  set_numa_policy({});
}

TEST_CASE("the system's calls place pages on a node", "[numa]") {
  const detail::numa_calls& calls = detail::system_numa_calls();
  unsigned long allowed[16] = {};
  if (calls.allowed(allowed, 1024) != 0) return skip("the system does not tell its NUMA nodes");
  constexpr std::size_t count = 16;
  void* const memory = mmap(nullptr, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  const int last = detail::nodes_of(calls).back();
  for (const numa_placement how : {numa_placement::halves, numa_placement::interleaved}) {
    try {
      detail::place_memory(memory, count * page, {how, {last}}, calls);
    } catch (const error& refused) {
      munmap(memory, count * page);
      return skip(refused.what());
    }
    std::memset(memory, 1, count * page);
    const std::vector<int> found = nodes_of_pages(static_cast<char*>(memory), count);
    if (found.empty()) break;  // move_pages is not allowed here
    for (const int node : found) CHECK(node == last);
  }
  detail::place_memory(memory, count * page, {}, calls);
  munmap(memory, count * page);
}
