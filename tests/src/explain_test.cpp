// SPDX-License-Identifier: BSD-3-Clause
// explain() tells the look-up of a tuning: the device, what there was, what was taken and why.
#include <tessera/detail/tuning_text.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/explain.hpp>

#include <algorithm>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/says.hpp"
#include "testing/skip.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("an explanation names size, device, sources and row", "[explain]") {
  for (const target where : cpu_targets()) {
    const std::string text = explain({.where = where, .type = scalar_type::f64, .m = 4, .n = 4, .k = 4});
    INFO(text);
    CHECK(says(text, std::string("gemm f64 4x4x4 on ") + name_of(where)));
    CHECK(says(text, device_name(where)));
    CHECK(says(text, "given at run time: no file"));
    CHECK(says(text, "operands in cache"));
    CHECK(says(text, "takes: "));
    CHECK(says(text, "because: "));
    if (where != target::reference) CHECK(says(text, "  * "));
  }
}

TEST_CASE("an explanation of a size without a row takes the generic one", "[explain]") {
  for (const target where : cpu_targets()) {
    const std::string text = explain({.where = where, .type = scalar_type::f32, .m = 31, .n = 1, .k = 30});
    INFO(text);
    CHECK(says(text, "no record and no row"));
    CHECK(says(text, where == target::reference ? "plain loops" : "generic"));
  }
}

TEST_CASE("operands larger than the cache come from memory", "[explain]") {
  const std::string text =
      explain({.where = default_cpu_target(), .m = 4, .n = 4, .k = 4, .bytes = 1001, .cache_bytes = 1000});
  CHECK(says(text, "operands from memory"));
}

TEST_CASE("an explanation says that a record shares the kernel of another one", "[explain]") {
  int found = 0;
  for (const cpu_gemm_record& r : cpu_gemm_records) {
    if (!r.is_second || !is_available(r.isa)) continue;
    const std::string text = explain({.where = r.isa, .type = r.type, .m = r.m, .n = r.n, .k = r.k});
    INFO(text);
    CHECK(says(text, "the second best tuning, within 3 % of the best, which uses another record's kernel"));
    ++found;
  }
  if (found == 0) skip("no record of an instruction set that runs here shares a kernel");
}

TEST_CASE("facts of devices: all CPU targets are the system's processor, a GPU is known where there is one",
          "[explain]") {
  const std::string& name = device_name(target::reference);
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name")) continue;
    CHECK(name.starts_with(line.substr(std::min(line.size(), line.find(':') + 2))));
    break;
  }
  for (const target where : all_targets) {
    CHECK(kernel_source_hash(where).size() == 16);
    if (where == target::cuda) continue;
    CHECK(device_name(where) == name);
    CHECK(compute_capability(where) == 0);
    CHECK(last_level_cache_bytes(where) == last_level_cache_bytes(target::reference));
  }
  CHECK(last_level_cache_bytes(target::reference) >= core_cache_bytes());
  const bool has_gpu = is_available(target::cuda);
  CHECK((device_name(target::cuda) == "unknown") == !has_gpu);
  CHECK((compute_capability(target::cuda) > 0) == has_gpu);
  CHECK((last_level_cache_bytes(target::cuda) > 0) == has_gpu);
  CHECK(kernel_source_hash(target::avx2) == kernel_source_hash(target::avx512));
  CHECK(kernel_source_hash(target::avx2) != kernel_source_hash(target::cuda));
}

TEST_CASE("the tuning of a size as a value is the one that explain names", "[explain]") {
  for (const target where : cpu_targets()) {
    const choice_query q{.where = where, .type = scalar_type::f64, .m = 4, .n = 4, .k = 4};
    const std::optional<cpu_gemm_tuning> tuning = cpu_tuning_for(q);
    REQUIRE(tuning.has_value() == (where != target::reference));
    if (tuning) CHECK(says(explain(q), "  takes: 4x4x4 (" + detail::text_of(*tuning) + ")"));
    CHECK_FALSE(cpu_tuning_for({.where = where, .type = scalar_type::f64, .m = 31, .n = 29, .k = 27}));
  }
}

TEST_CASE("a GPU has a tuning for every packed product that one fits", "[explain]") {
  choice_query q{.where = target::cuda, .type = scalar_type::f64, .m = 4, .n = 4, .k = 4};
  q.device = "NVIDIA H200";
  q.compute_capability = 90;
  q.cache_bytes = 1;
  const std::optional<gpu_gemm_tuning> usual = gpu_tuning_for(q, {});
  REQUIRE(usual);
  CHECK(says(explain(q), "4x4x4, " + detail::text_of(*usual) + ": record of this device"));
  CHECK(gpu_tuning_for(q, {.left = packed_layout::shared_by_cols}));
  q.m = 31, q.n = 29, q.k = 27;
  CHECK(gpu_tuning_for(q, {}));
  q.m = q.n = q.k = 300;
  CHECK_FALSE(gpu_tuning_for(q, {}));
}
