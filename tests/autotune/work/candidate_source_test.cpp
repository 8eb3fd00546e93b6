// SPDX-License-Identifier: BSD-3-Clause
// Tests the text of a group of candidates.
#include "work/candidate_source.hpp"

#include "arranged_candidates.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

TEST_CASE("a source names instruction set, type, sizes and the whole tuning") {
  const tuning_case c{target::avx2, scalar_type::f32, memory_regime::cache, 5, 6, 7};
  const config how = testing::with(gemm_family(target::avx2).initial, "columns", 9);
  const std::string text = source_of(c.on, c.type, std::vector{candidate{c, how}}, specialised_definition);
  INFO(text);
  for (const char* words :
       {"<tessera/cpu/detail/isa_avx2.hpp>", "simd::avx2<here>", "scalar = float",
        "specialised_gemm<isa, scalar, 5, 6, 7, tessera::cpu_gemm_tuning{1, 9, 4,", "tessera_candidate_count = 1"})
    CHECK(text.find(words) != std::string::npos);
}

TEST_CASE("a source lists its candidates in order and may have none") {
  const tuning_case c{target::avx512, scalar_type::f64, memory_regime::cache, 2, 2, 2};
  const definition named = [](const candidate& one, const std::string& name) {
    return "definition of " + name + " number " + std::to_string(testing::number_of(one)) + "\n";
  };
  const std::string two = source_of(c.on, c.type, testing::candidates_of(c, testing::numbered_configs(2)), named);
  CHECK(two.find("definition of candidate_1 number 1") != std::string::npos);
  CHECK(two.find("tessera_candidates[] = {candidate_0, candidate_1, nullptr}") != std::string::npos);
  CHECK(source_of(c.on, c.type, {}, named).find("tessera_candidates[] = {nullptr}") != std::string::npos);
}
