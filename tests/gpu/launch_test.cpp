// SPDX-License-Identifier: BSD-3-Clause
// What launches and memory calls refuse, and with which words; what is left untouched; a build without a GPU.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include "gpu/products.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu: without a device every call says so", "[gpu]") {
  if (device::available()) {
    CHECK(device::info().sms > 0);
    return;
  }
  problem<double> p;
  check_failure(status::no_device, {"GPU"}, [] { device::allocate(8); });
  check_failure(status::no_device, {}, [] { device::stream_create(); });
  check_failure(status::no_device, {}, [] { device::info(); });
  check_failure(status::no_device, {}, [] { device::upload({1, 2}); });
  check_failure(status::no_device, {}, [&] { device::launch(p, {}, nullptr); });
  CHECK_FALSE(device::is_device_pointer(&p));
}

TEST_CASE("gpu launch: pointers that are null or not the device's", "[gpu]") {
  if (no_gpu()) return;
  product d;
  d.m = d.n = d.k = 5;
  d.batch = 4;
  arranged_product<double> a(d, 1);
  device_entries<double> left(a.entries(0)), right(a.entries(2)), out(a.entries(4));
  double* const data[5] = {left.data(), nullptr, right.data(), nullptr, out.data()};
  const problem<double> good = a.on(data, true);
  problem<double> p = good;
  p.left[0].data = a.entries(0).data();
  check_failure(status::wrong_space, {"gemm f64 5x5x5", "left"},
                [&] { device::launch(p, device::choose(p), nullptr); });
  p = good;
  p.out.data = nullptr;
  check_failure(status::null_pointer, {"gemm f64 5x5x5", "output"}, [&] { device::launch(p, {}, nullptr); });
  p = good;
  const std::vector<index_t> table(25, 0);
  p.right[0].map.table = table.data();
  check_failure(status::wrong_space, {"table", "right"}, [&] { device::launch(p, {}, nullptr); });
  p = good;
  p.n = 4;
  check_failure(status::internal, {"5x4x5", "5x5x5"}, [&] { device::launch(p, device::choose(good), nullptr); });
  const std::vector<double> after = out.read();
  CHECK(std::memcmp(after.data(), a.entries(4).data(), after.size() * sizeof(double)) == 0);
}

TEST_CASE("gpu launch: what CUDA refuses carries kernel, launch shape and CUDA's words", "[gpu]") {
  if (no_gpu()) return;
  const std::vector<double> one(1, 1.0);
  device_entries<double> x(one);
  problem<double> p;
  p.left[0] = {x.data(), 0, 1, {.row = 1, .col = 1}};
  p.right[0] = p.left[0];
  p.out = {x.data(), 0, 1, {.row = 1, .col = 1}};
  p.batch = index_t(1) << 62;  // more blocks than a grid has
  check_failure(status::launch_failure, {"gemm f64 1x1x1", "blocks", "threads", "bytes", "invalid"},
                [&] { device::launch(p, {}, nullptr); });
  p.batch = 1;
  device::launch(p, {}, nullptr);  // nothing of the failure stays behind
  device::stream_synchronize(nullptr);
}

TEST_CASE("gpu memory: out of memory names the bytes and leaves the device usable", "[gpu]") {
  if (no_gpu()) return;
  check_failure(status::out_of_memory, {"1152921504606846976"}, [] { device::allocate(std::size_t(1) << 60); });
  void* memory = device::allocate(1 << 20);
  CHECK(device::is_device_pointer(memory));
  std::vector<char> host(1 << 20, 1);
  device::copy(host.data(), memory, host.size(), device::direction::device_to_host);
  bool zero = true;
  for (char c : host) zero = zero && c == 0;
  CHECK(zero);
  device::deallocate(memory);
  CHECK_FALSE(device::is_device_pointer(host.data()));
  CHECK(device::allocate(0) == nullptr);
}

TEST_CASE("gpu memory: tables keep their offsets", "[gpu]") {
  if (no_gpu()) return;
  const std::vector<index_t> offsets{5, 3, 1, 0, index_t(1) << 40};
  const device::table t = device::upload(offsets);
  std::vector<index_t> back(offsets.size());
  device::copy(back.data(), t.data(), back.size() * sizeof(index_t), device::direction::device_to_host);
  CHECK(back == offsets);
  product d;
  d.m = d.n = d.k = 6;
  d.batch = 3;
  d.tables = true;
  arranged_product<float> a(d, 4);
  device_entries<float> left(a.entries(0)), right(a.entries(2)), out(a.entries(4));
  float* const data[5] = {left.data(), nullptr, right.data(), nullptr, out.data()};
  problem<float> p = a.on(data, false);
  std::vector<device::table> tables;
  for (run_time_map* map : {&p.left[0].map, &p.right[0].map, &p.out.map}) {
    tables.push_back(device::upload(std::vector<index_t>(map->table, map->table + map->rows * map->cols * p.loops)));
    map->table = tables.back().data();
  }
  CHECK(device::choose(p) == device::gemm_choice{});
  device::launch(p, device::choose(p), nullptr);
  CHECK(judge(a, out.read()).error <= 1.0);
}

TEST_CASE("gpu copy: staged, pinned and between streams", "[gpu]") {
  if (no_gpu()) return;
  const std::size_t count = 5 * (std::size_t(1) << 20) + 13;  // several pieces of staging memory and a rest
  std::vector<double> host(count), back(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) host[i] = double(i);
  void* memory = device::allocate(count * sizeof(double));
  void* twin = device::allocate(count * sizeof(double));
  void* stream = device::stream_create();
  device::copy_async(memory, host.data(), count * sizeof(double), device::direction::host_to_device, stream);
  std::vector<double> kept = host;
  for (double& x : host) x = -1;  // the source may be reused at once
  device::copy_async(twin, memory, count * sizeof(double), device::direction::device_to_device, stream);
  device::copy_async(back.data(), twin, count * sizeof(double), device::direction::device_to_host, stream);
  device::stream_synchronize(stream);
  CHECK(back == kept);

  auto* pinned = static_cast<double*>(device::allocate_pinned(count * sizeof(double)));
  device::copy_async(pinned, memory, count * sizeof(double), device::direction::device_to_host, stream);
  device::stream_synchronize(stream);
  CHECK(std::memcmp(pinned, kept.data(), count * sizeof(double)) == 0);
  device::deallocate_pinned(pinned);

  check_failure(status::wrong_space, {"source", "24 bytes"},
                [&] { device::copy(back.data(), host.data(), 24, device::direction::device_to_host); });
  check_failure(status::wrong_space, {"destination"},
                [&] { device::copy(host.data(), back.data(), 24, device::direction::host_to_device); });
  check_failure(status::null_pointer, {},
                [&] { device::copy(nullptr, memory, 24, device::direction::device_to_host); });
  device::stream_destroy(stream);
  device::deallocate(twin);
  device::deallocate(memory);
}
