// SPDX-License-Identifier: BSD-3-Clause
// Indices by strides, the passes that use them, and register pressure's kernels on a GPU.
#include "stride_case.hpp"

#include <set>

#include "gpu/register_kernels.hpp"
#include "models/throughput.hpp"
#include "stride_index.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

namespace bench = tessera::bench;
using tessera::space_kind;
using tessera::testing::check_failure;
using tessera::testing::no_gpu;

namespace {

bench::memory_model levels_of_two() {
  return bench::memory_model({{"L2", 24e6, {}, {.latency = 1e-6, .bandwidth = 6e12}},
                              {.name = "DRAM", .line = {.latency = 1e-6, .bandwidth = 3e12}}});
}

}  // namespace

TEST_CASE(
    "strides: the bijective index reaches each entry once, neighbours a stride apart; the masked one few, often") {
  constexpr int log_n = 10;
  constexpr unsigned n = 1u << log_n;
  for (int log_stride = 0; log_stride <= log_n; ++log_stride) {
    const unsigned stride = 1u << log_stride;
    INFO("stride " << stride);
    std::set<unsigned> bijective, masked;
    bool is_apart = true;
    for (unsigned t = 0; t < n; ++t) {
      bijective.insert(bench::bijective_index(t, log_stride, log_n));
      masked.insert(bench::masked_index(t, log_stride, log_n));
      if (t % (n / stride) != 0)
        is_apart = is_apart && bench::bijective_index(t, log_stride, log_n) ==
                                   bench::bijective_index(t - 1, log_stride, log_n) + stride;
    }
    CHECK(bijective.size() == n);
    CHECK(*bijective.rbegin() == n - 1);
    CHECK(masked.size() == n / stride);
    CHECK(is_apart);
  }
}

TEST_CASE("strides: passes on a CPU are right, and the check finds passes that are not") {
  for (const int threads : {1, 2}) {
    bench::stride_case c(space_kind::cpu, 4096, threads);
    for (const unsigned stride : {1u, 4u, 128u, 4096u})
      for (const bool masked : {false, true}) CHECK(c.check(stride, masked).correct());
  }
  bench::stride_case c(space_kind::cpu, 4096, 1);
  CHECK(c.useful_bytes() == 2 * 4 * 4096);
  check_failure(tessera::status::invalid_argument, {"stride", "3"}, [&] { c.run(3, false); });
  check_failure(tessera::status::invalid_argument, {"stride", "8192"}, [&] { c.run(8192, false); });
  check_failure(tessera::status::invalid_argument, {"1000 entries"},
                [] { bench::stride_case(space_kind::cpu, 1000, 1); });
}

TEST_CASE("strides: the model's times grow up to whole lines, and fall where the masked index fits a cache") {
  const bench::stride_case c(space_kind::cpu, 1 << 24, 1);
  bench::memory_model model = levels_of_two();
  const auto seconds = [&](unsigned stride, bool masked) { return c.predicted(stride, masked, model).seconds; };
  CHECK(seconds(1, false) == Approx(1e-6 + (1 << 27) / 3e12));
  for (unsigned stride = 2; stride <= 16; stride *= 2) CHECK(seconds(stride, false) > 1.5 * seconds(stride / 2, false));
  CHECK(seconds(64, false) == seconds(16, false));
  CHECK(seconds(16, true) == seconds(16, false));
  CHECK(c.predicted(64, true, model).level == "DRAM");  // 33.5 MB of lines
  CHECK(c.predicted(128, true, model).level == "L2");
  CHECK(seconds(128, true) < seconds(64, true));
}

TEST_CASE("strides: passes on a GPU are right", "[gpu]") {
  if (no_gpu()) return;
  bench::stride_case c(space_kind::gpu, 1 << 16, 1);
  for (const unsigned stride : {1u, 2u, 32u, 128u, 65536u})
    for (const bool masked : {false, true}) {
      INFO("stride " << stride << (masked ? ", masked" : ""));
      CHECK(c.check(stride, masked).correct());
    }
}

TEST_CASE("registers: kernels are right, hold more and more, and do as many flops", "[gpu]") {
  if (no_gpu()) return;
  const auto kernels = bench::device::register_kernels(1);
  REQUIRE(kernels.size() == 14);
  for (const bench::device::register_kernel& k : kernels) {
    INFO("held " << k.held << ", chains " << k.chains << ", registers " << k.registers);
    CHECK(k.wrong() > 0);  // nothing has run
    k.run();
    CHECK(k.wrong() == 0);
    CHECK(k.registers > k.held);
    CHECK(k.local_bytes == 0);
    CHECK(k.flops == kernels.front().flops);
    CHECK(k.resident_blocks == bench::models::resident_blocks(k.registers, k.threads));
  }
  CHECK(kernels.front().resident_blocks == 8);
  CHECK(kernels[6].resident_blocks < 3);
}
