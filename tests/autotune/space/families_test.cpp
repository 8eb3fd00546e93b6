// SPDX-License-Identifier: BSD-3-Clause
// Families: axes from the tuning structs, texts, and configs that survive the way to a struct and back.
#include "family.hpp"

#include <tessera/detail/fits.hpp>

#include <cmath>

#include "space/as_config.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

namespace tessera::tune {
namespace {

TEST_CASE("A gemm family has the axes of its tuning struct, in order", "[tune]") {
  const family& cpu = gemm_family(target::avx2);
  REQUIRE(cpu.axes.size() == axes_of<cpu_gemm_tuning>().size());
  CHECK(cpu.axes[0].name == "row_vectors");
  CHECK(cpu.axes[1].name == "columns");
  CHECK(&cpu == &gemm_family(target::neon));
  const family& gpu = gemm_family(target::cuda);
  REQUIRE(gpu.axes.size() == axes_of<gpu_gemm_tuning>().size());
  CHECK(gpu.axes[1].name == "threads");
  CHECK(cpu.name == "gemm");
  CHECK(gpu.name == "gemm");
}

TEST_CASE("The reference loops have no family", "[tune]") {
  testing::check_failure(status::no_target, {"reference", "avx2", "cuda"}, [] { gemm_family(target::reference); });
}

TEST_CASE("Configs survive the way to a struct and back", "[tune]") {
  const cpu_gemm_tuning t{.row_vectors = 2, .columns = 5, .unroll_k = 0, .matrices = 4, .stream = 1};
  CHECK(as_tuning<cpu_gemm_tuning>(as_config(t)) == t);
  const gpu_gemm_tuning g{.matrices = 24, .threads = 96, .tile_rows = 2, .tile_cols = 3, .over_a = 1, .row_vector = 2};
  CHECK(as_tuning<gpu_gemm_tuning>(as_config(g)) == g);
  CHECK(gemm_family(target::avx2).initial == as_config(cpu_gemm_tuning{}));
  CHECK(gemm_family(target::cuda).initial == as_config(gpu_gemm_tuning{}));
}

TEST_CASE("Texts of configs and cases", "[tune]") {
  for (const target on : {target::avx512, target::cuda}) {
    const family& f = gemm_family(on);
    std::string values, words;
    for (std::size_t i = 0; i < f.axes.size(); ++i) {
      const std::string value = std::to_string(f.initial.value[i]), comma = i > 0 ? ", " : "";
      values += comma + value;
      words += comma + f.axes[i].name + " " + value;
    }
    CHECK(f.source(f.initial) ==
          std::string(on == target::cuda ? "tessera::gpu_gemm_tuning{" : "tessera::cpu_gemm_tuning{") + values + "}");
    CHECK(text_of(f, f.initial) == words);
  }
  CHECK(text_of(gemm_family(target::avx2), {{2, 3}}).starts_with("row_vectors 2, columns 3, unroll_k 0"));
  CHECK(key_of({target::avx2, scalar_type::f64, memory_regime::cache, 5, 6, 7}) == "avx2 f64 cache 5x6x7");
}

TEST_CASE("A family's rule is that of fits.hpp, with the limits of its target", "[tune]") {
  const family& f = gemm_family(target::avx2);
  const config wide = as_config(cpu_gemm_tuning{.row_vectors = 2, .columns = 8});
  CHECK(f.why_not(wide, {target::avx2, scalar_type::f64, memory_regime::cache, 8, 8, 8}) != nullptr);
  CHECK(f.why_not(wide, {target::avx512, scalar_type::f64, memory_regime::cache, 16, 16, 16}) == nullptr);
  const config staged = as_config(gpu_gemm_tuning{.loads = 1});
  const tuning_case gpu{target::cuda, scalar_type::f64, memory_regime::stream, 8, 8, 8};
  CHECK(gemm_family(target::cuda).why_not(staged, gpu) == nullptr);
  CHECK(gpu_gemm_family(80).why_not(staged, gpu) != nullptr);
}

TEST_CASE("A case's time is of C = A B and C += A B: alike, but less of the latter with a shared operand", "[tune]") {
  CHECK(of_both({}, 2, 8) == 4);
  const packed_layouts table{.left = packed_layout::shared_by_cols};
  CHECK(std::abs(of_both(table, 3, 3) - 3) < 1e-12);
  CHECK(std::abs(of_both(table, 1, 32) - 2) < 1e-12);  // 1^(4/5) 32^(1/5)
  CHECK(std::abs(of_both({.right = packed_layout::shared_by_rows}, 1, 32) - 2) < 1e-12);
}

}  // namespace
}  // namespace tessera::tune
