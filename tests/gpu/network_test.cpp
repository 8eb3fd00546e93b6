// SPDX-License-Identifier: BSD-3-Clause
// Networks over device memory: against one loop over all letters, in several streams, in graphs, without allocations.
#include <tessera/gpu/detail/graph.hpp>
#include <tessera/memory.hpp>
#include <tessera/network.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "testing/failure.hpp"
#include "testing/gpu.hpp"
#include "testing/network_case.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// The operands of a case, copied to device memory.
template <class T>
class device_network {
 public:
  explicit device_network(network_memory<T>& host) : host_(host) {
    for (std::size_t o = 0; o < host.all.size(); ++o) {
      std::vector<T>& from = host.memory[o]->memory();
      memory_.emplace_back(space_kind::gpu, from.size() * sizeof(T));
      copy_memory(memory_.back().data(), from.data(), from.size() * sizeof(T));
      operand on_device = host.all[o];
      on_device.space = space_kind::gpu;
      on_device.data = static_cast<T*>(memory_.back().data()) + host.memory[o]->start();
      all_.push_back(on_device);
    }
  }
  const std::vector<operand>& all() const { return all_; }
  // The output, in the order of the host's.
  std::vector<T> output(const network_case& of) {
    std::vector<T>& to = host_.memory.back()->memory();
    copy_memory(to.data(), memory_.back().data(), to.size() * sizeof(T));
    return host_.output(of);
  }

 private:
  network_memory<T>& host_;
  std::vector<buffer> memory_;
  std::vector<operand> all_;
};

template <class T>
index_t count_unlike(const std::vector<T>& found, const std::vector<double>& wanted) {
  index_t wrong = found.size() == wanted.size() ? 0 : 1;
  for (std::size_t i = 0; wrong == 0 && i < wanted.size(); ++i) wrong += double(found[i]) != wanted[i];
  return wrong;
}

template <class T>
void check_drawn(network_numbers& next, int inputs) {
  const network_case drawn = draw_network(next, inputs);
  const index_t count = next.below(2) == 0 ? -1 : 1 + next.below(70);
  std::vector<index_t> counts;
  std::vector<arrangement> how;
  for (std::size_t o = 0; o < drawn.letters.size(); ++o) {
    counts.push_back(o + 1 == drawn.letters.size() || next.below(2) == 0 ? count : -1);
    how.push_back({.order = next.below(6), .gap = next.below(2), .table = next.below(8) == 0});
  }
  network_memory<T> host(drawn, counts, how, next);
  device_network<T> device(host);
  const double beta = next.below(3) - 1;
  const std::vector<double> wanted = host.wanted(drawn, 2, beta);
  const network n = make_network_of(drawn.text(), device.all().data(), int(device.all().size()),
                                    {.scale = {2, beta}, .plans = {.compile = false}});
  INFO(n.describe());
  const stream queue;
  n.run_operands(device.all().data(), int(device.all().size()), queue);
  queue.synchronize();
  CHECK(count_unlike(device.output(drawn), wanted) == 0);
}

// A chain of four matrices for each of 40 batch entries.
struct chain_of_four {
  network_case of{{"ab", "bc", "cd", "de", "ae"}, {5, 2, 6, 3, 4}};
  network_memory<double> host;
  device_network<double> device;
  std::vector<double> wanted;

  explicit chain_of_four(unsigned seed) : host(made(of, seed)), device(host), wanted(host.wanted(of, 1, 0)) {}
  static network_memory<double> made(const network_case& of, unsigned seed) {
    network_numbers next(seed);
    return {of, {40, -1, 40, -1, 40}, std::vector<arrangement>(5), next};
  }
};

}  // namespace

TEST_CASE("gpu network: drawn networks of two to six operands", "[gpu][network][sanitize]") {
  if (no_gpu()) return;
  network_numbers next(4);
  for (int i = 0; i < 60; ++i) {
    check_drawn<double>(next, 2 + i % 5);
    check_drawn<float>(next, 2 + i % 5);
  }
}

TEST_CASE("gpu network: runs in several streams share the owned workspace in their order", "[gpu][network]") {
  if (no_gpu()) return;
  std::vector<std::unique_ptr<chain_of_four>> all;
  for (unsigned i = 0; i < 6; ++i) all.push_back(std::make_unique<chain_of_four>(i));
  const network n = make_network_of(all[0]->of.text(), all[0]->device.all().data(), 5);
  const stream streams[3];
  const std::size_t before = allocation_count();
  for (int again = 0; again < 20; ++again)
    for (std::size_t i = 0; i < all.size(); ++i) n.run_operands(all[i]->device.all().data(), 5, streams[i % 3]);
  CHECK(allocation_count() == before);
  for (const stream& s : streams) s.synchronize();
  for (const auto& one : all) CHECK(count_unlike(one->device.output(one->of), one->wanted) == 0);
}

TEST_CASE("gpu network: a run by a caller's workspace is captured in a graph", "[gpu][network]") {
  if (no_gpu()) return;
  chain_of_four one(1);
  const network n = make_network_of(one.of.text(), one.device.all().data(), 5, {.own_workspace = false});
  REQUIRE(n.workspace_bytes() > 0);
  buffer workspace(space_kind::gpu, n.workspace_bytes());
  const stream queue;
  n.run_operands_in(workspace, one.device.all().data(), 5, queue);  // loads what is loaded at the first run
  const device::graph ready("a network", queue,
                            [&](stream_view on) { n.run_operands_in(workspace, one.device.all().data(), 5, on); });
  const std::vector<double> zeros(one.host.memory.back()->memory().size(), 0.0);
  copy_memory(const_cast<void*>(one.device.all().back().data), zeros.data(), one.wanted.size() * sizeof(double));
  ready.launch(stream_view(queue).handle());
  queue.synchronize();
  CHECK(count_unlike(one.device.output(one.of), one.wanted) == 0);

  buffer on_host(space_kind::cpu, n.workspace_bytes() + 256);
  auto* const aligned = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(on_host.data()) + 255) / 256 * 256);
  check_failure(status::wrong_space, {"the workspace is in cpu memory", "the output in gpu memory"}, [&] {
    n.run_operands_in({aligned, n.workspace_bytes()}, one.device.all().data(), 5, queue);
  });
  check_failure(status::invalid_argument, {"begins 64 bytes behind a multiple of 256"}, [&] {
    n.run_operands_in({static_cast<char*>(workspace.data()) + 64, n.workspace_bytes()}, one.device.all().data(), 5,
                      queue);
  });
}

TEST_CASE("gpu network: a run by the owned workspace is captured, too", "[gpu][network]") {
  if (no_gpu()) return;
  chain_of_four one(2);
  const network n = make_network_of(one.of.text(), one.device.all().data(), 5);
  const stream queue, other;
  n.run_operands(one.device.all().data(), 5, other);
  other.synchronize();
  const device::graph ready("a network", queue,
                            [&](stream_view on) { n.run_operands(one.device.all().data(), 5, on); });
  ready.launch(stream_view(queue).handle());
  queue.synchronize();
  CHECK(count_unlike(one.device.output(one.of), one.wanted) == 0);
}
