// SPDX-License-Identifier: BSD-3-Clause
// The machine code of general contractions has the tensor cores' instructions of its kind, by NVIDIA's disassembler; no
// GPU is needed.
#include <tessera/detail/general_candidates.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/jit.hpp"
#include "testing/scratch.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using tessera::detail::general_by;
using tessera::detail::general_kind;

// Empty where there is none.
std::string disassembler() {
  const std::string known = TESSERA_NVDISASM;
  for (const std::string& name : {known, std::string("nvdisasm")})
    if (!name.empty() && std::system((name + " --version > /dev/null 2>&1").c_str()) == 0) return name;
  return "";
}

// The instructions of both kernels of the model's first tile for a row of TCCG.
std::string instructions_of(const general_kind& kind, const std::string& program) {
  const tccg_row& row = tccg_rows[12 - 1];  // a product of large matrices
  const general_form form = lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
  const auto all = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200, kind);
  REQUIRE_FALSE(all.found.empty());
  const jit_code code =
      device::compile_source(device::general_source(form, kind, all.found.front().tile).source, {}, 90);
  INFO(code.log);
  REQUIRE_FALSE(code.machine_code.empty());
  const scratch_folder folder;
  const std::string binary = (folder / "kernel.cubin").string(), text = (folder / "kernel.sass").string();
  std::ofstream(binary, std::ios::binary).write(code.machine_code.data(), std::streamsize(code.machine_code.size()));
  REQUIRE(std::system((program + " -c " + binary + " > " + text).c_str()) == 0);
  return text_of_file(text);
}

int count_of(const std::string& words, const std::string& in) {
  int count = 0;
  for (std::size_t at = in.find(words); at != std::string::npos; at = in.find(words, at + 1)) ++count;
  return count;
}

general_kind kind_of(scalar_type in, scalar_type sum, general_by by) {
  return {.left = in, .right = in, .out = in, .sum = sum, .by = by};
}

struct expected {
  const char* name;
  general_kind kind;
  const char *has, *lacks;
};

}  // namespace

TEST_CASE("gpu instructions of general contractions: each kind has its own", "[general][nvrtc]") {
  if (no_jit()) return;
  const std::string program = disassembler();
  if (program.empty()) return skip("no nvdisasm");
  using enum scalar_type;
  const expected all[] = {
      {"double", kind_of(f64, f64, general_by::mma_f64), " DMMA.", " HMMA."},
      {"tf32", kind_of(f32, f32, general_by::mma_tf32), ".F32.TF32 ", " DMMA."},
      {"half", kind_of(f16, f32, general_by::mma_16), " HMMA.", "BF16 "},
      {"bfloat16", kind_of(bf16, f32, general_by::mma_16), ".F32.BF16 ", " DMMA."},
      {"float by multiply-adds", kind_of(f32, f32, general_by::fma), " FFMA ", "MMA."},
      {"double by multiply-adds", kind_of(f64, f64, general_by::fma), " DFMA ", "MMA."},
      {"integers", kind_of(i32, i32, general_by::fma), " IMAD ", "MMA."},
  };
  for (const expected& one : all) {
    const std::string text = instructions_of(one.kind, program);
    INFO(one.name << ": " << text.substr(0, 2000));
    CHECK(count_of(one.has, text) >= 8);
    CHECK(count_of(one.lacks, text) == 0);
  }
}

TEST_CASE("gpu instructions of general contractions: three products of TF32 for one", "[general][nvrtc]") {
  if (no_jit()) return;
  const std::string program = disassembler();
  if (program.empty()) return skip("no nvdisasm");
  const std::string text =
      instructions_of(kind_of(scalar_type::f32, scalar_type::f32, general_by::mma_3xtf32), program);
  const int products = count_of(".F32.TF32 ", text);
  INFO(products);
  CHECK(products >= 24);
  CHECK(products % 3 == 0);
}
