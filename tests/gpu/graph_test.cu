// SPDX-License-Identifier: BSD-3-Clause
// Launches of rows and of contract<> in a stream being captured, and the replay of the graph.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"
#include "testing/jit.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <tessera/gpu/contract.cuh>
#include <tessera/gpu/detail/graph.hpp>
#include <tessera/tessera.hpp>

#include "gpu/products.hpp"
#include "testing/listed.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu graph: captured launches run on replay, each time on what the operands then hold", "[gpu]") {
  if (no_gpu()) return;
  product d;
  d.m = d.n = d.k = 6;
  d.batch = 55;
  d.beta = 1;
  arranged_product<double> a(d, 1);
  device_entries<double> left(a.entries(0)), right(a.entries(2)), out(a.entries(4)), other(a.entries(4));
  double* const data[5] = {left.data(), nullptr, right.data(), nullptr, out.data()};
  const problem<double> p = a.on(data, true);
  const auto matrix = of_size<6, 6>();

  cudaStream_t stream = static_cast<cudaStream_t>(device::stream_create());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  device::launch(p, device::choose(p), stream);
  device::launch(p, {}, stream);
  contract<"ik,kj->ij">(view_batch(gpu, left.data(), matrix, 55), view_batch(gpu, right.data(), matrix, 55),
                        view_batch(gpu, other.data() + canary, matrix, 55), stream_view(stream));
  std::vector<double> pageable(4);
  check_failure(status::launch_failure, {"capture", "pinned"}, [&] {
    device::copy_async(left.data(), pageable.data(), 32, device::direction::host_to_device, stream);
  });
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  std::size_t nodes = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
  CHECK(nodes == 3);
  const std::vector<double> before = out.read();
  CHECK(before == a.entries(4));  // captured, not run

  REQUIRE(cudaGraphLaunch(ready, stream) == cudaSuccess);
  device::stream_synchronize(stream);
  const std::vector<double> once = out.read(), product_alone = other.read();
  bool agrees = true;  // out = old + 2 A B
  for (std::size_t i = std::size_t(canary); i < std::size_t(canary + 55 * 36); ++i)
    agrees = agrees &&
             std::abs(once[i] - (a.entries(4)[i] + 2 * product_alone[i])) < 1e-13 * (6 + std::abs(a.entries(4)[i]));
  CHECK(agrees);
  out.write(a.entries(4));
  REQUIRE(cudaGraphLaunch(ready, stream) == cudaSuccess);
  device::stream_synchronize(stream);
  CHECK(out.read() == once);

  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  device::stream_destroy(stream);
}

TEST_CASE("gpu graph: what a plan compiled outlives the plan", "[gpu]") {
  if (no_gpu()) return;
  auto a = make_batch<double>(gpu, of_size(8, 9), 21), b = make_batch<double>(gpu, of_size(9, 8), 21),
       c = make_batch<double>(gpu, of_size(8, 8), 21);
  auto ones = make_batch<double>(of_size(8, 9), 21);
  std::fill(ones.begin(), ones.end(), 1.0);
  copy(ones, a);
  auto twos = make_batch<double>(of_size(9, 8), 21);
  std::fill(twos.begin(), twos.end(), 2.0);
  copy(twos, b);

  stream on;
  cudaStream_t queue = static_cast<cudaStream_t>(stream_view(on).handle());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  {
    const plan p = make_plan(contraction("ik,kj->ij"), a, b, c);
    REQUIRE(cudaStreamBeginCapture(queue, cudaStreamCaptureModeGlobal) == cudaSuccess);
    p.run_on(on, a, b, c);
    REQUIRE(cudaStreamEndCapture(queue, &graph) == cudaSuccess);
  }
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(ready, queue) == cudaSuccess);
  on.synchronize();
  auto found = make_batch<double>(of_size(8, 8), 21);
  copy(c, found);
  CHECK(std::all_of(found.begin(), found.end(), [](double x) { return x == 18; }));
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

TEST_CASE("gpu graph: what a graph keeps is destroyed after it", "[gpu][sanitize]") {
  if (no_gpu()) return;
  cudaStream_t stream = static_cast<cudaStream_t>(device::stream_create());
  auto object = std::make_shared<buffer>(space_kind::gpu, std::size_t{1} << 20);
  const std::weak_ptr<buffer> seen = object;
  auto kept = std::make_unique<device::graph>("keep", stream_view(stream),
                                              [&](stream_view on) { device::keep_for_graph(on.handle(), object); });
  object.reset();
  device::destroy_released();
  CHECK_FALSE(seen.expired());
  kept->launch(stream);
  kept.reset();
  device::stream_synchronize(stream);
  // Device memory is freed while a stream is captured, and the capture goes on.
  cudaGraph_t other = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  bool is_destroyed = false;
  for (int tries = 0; tries < 200 && !seen.expired(); ++tries) {  // CUDA calls back from a thread of its own
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    is_destroyed = device::destroy_released();
  }
  CHECK(seen.expired());
  CHECK(is_destroyed);
  CHECK_FALSE(device::destroy_released());
  CHECK(cudaStreamEndCapture(stream, &other) == cudaSuccess);
  cudaGraphDestroy(other);
  device::stream_destroy(stream);
}

TEST_CASE("gpu graph: an executor is captured as its launches", "[gpu][executor]") {
  if (no_gpu()) return;
  listed<double> list(4000);
  for (index_t i = 0; i < 20; ++i) {
    list.add(contraction("ik,kj->ij"),
             {list.tensor(3900, {5, 4}), list.tensor(i * 12, {4, 3}), list.tensor(1000 + i * 15, {5, 3})});
    list.add(contraction("ik,kj->ij", add),
             {list.tensor(3950, {5, 5}), list.tensor(2000 + i * 15, {5, 3}), list.tensor(1000 + i * 15, {5, 3})});
    list.add({{contraction("ik,kj->ij"), {list.tensor(3800, {3, 3})}},
              {contraction("jl,ij->il"), {list.tensor(3850, {4, 4})}}},
             list.tensor(2400 + i * 12, {3, 4}), list.tensor(2700 + i * 12, {3, 4}));
  }
  device_entries<double> memory(list.memory());
  const executor all(list.over(memory.data(), space_kind::gpu));
  const index_t launches = why_no_jit().empty() ? 3 : 4;  // a chain is one, or one for each step
  CHECK(all.launches() == launches);

  stream on;
  cudaStream_t queue = static_cast<cudaStream_t>(stream_view(on).handle());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  REQUIRE(cudaStreamBeginCapture(queue, cudaStreamCaptureModeGlobal) == cudaSuccess);
  all.run(on);
  REQUIRE(cudaStreamEndCapture(queue, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  std::size_t nodes = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
  CHECK(index_t(nodes) == launches);
  CHECK(memory.read() == list.memory());  // captured, not run
  REQUIRE(cudaGraphLaunch(ready, queue) == cudaSuccess);
  on.synchronize();
  CHECK(memory.read() == list.after());
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
