// SPDX-License-Identifier: BSD-3-Clause
// explain() tells the look-up of a tuning: the device, what there was, what was taken and why.
#include <tessera/device_facts.hpp>
#include <tessera/explain.hpp>
#include <tessera/tuning_text.hpp>

#include <string>

#include "testing/catch.hpp"
#include "testing/skip.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

bool says(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

}  // namespace

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
  for (const cpu_gemm_record& r : cpu_gemm_records) {
    if (!r.is_second || !is_available(r.isa)) continue;
    const std::string text = explain({.where = r.isa, .type = r.type, .m = r.m, .n = r.n, .k = r.k});
    INFO(text);
    CHECK(says(text, "the second best tuning, within 3 % of the best, which shares another record's kernel"));
    return;
  }
  skip("no record of an instruction set that runs here shares a kernel");
}

TEST_CASE("facts of devices are steady, and hashes differ by side", "[explain]") {
  for (const target where : all_targets) {
    CHECK_FALSE(device_name(where).empty());
    CHECK(device_name(where) == device_name(where));
    CHECK(kernel_source_hash(where).size() == 16);
    CHECK(last_level_cache_bytes(where) >= 0);
  }
  CHECK(kernel_source_hash(target::avx2) == kernel_source_hash(target::avx512));
  CHECK(kernel_source_hash(target::avx2) != kernel_source_hash(target::cuda));
  CHECK(compute_capability(target::avx2) == 0);
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
  CHECK(gpu_tuning_for(q, {.left = lie::shared_by_cols}));
  q.m = 31, q.n = 29, q.k = 27;
  CHECK(gpu_tuning_for(q, {}));
  q.m = q.n = q.k = 300;
  CHECK_FALSE(gpu_tuning_for(q, {}));
}
