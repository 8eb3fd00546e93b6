// SPDX-License-Identifier: BSD-3-Clause
// Kernels of a GPU as NVRTC makes them: names do not count, tunings do.
#include <tessera/detail/jit.hpp>

#include "restamp/compared_code.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

std::string cubin_of(const jit_gemm& what) {
  const jit_code code = jit_compile({&what, 1}, {}, 90).front();
  INFO(code.log);
  REQUIRE_FALSE(code.machine_code.empty());
  return code.machine_code;
}

}  // namespace

TEST_CASE("machine code of a GPU: names do not count, tunings do", "[tune][restamp][nvrtc]") {
  if (!why_no_jit().empty()) return tessera::testing::skip("no NVRTC");
  jit_gemm what{.m = 4, .n = 4, .k = 4};
  const std::string before = cubin_of(what);
  std::string renamed = before;
  int count = 0;
  for (std::size_t at = 0; (at = renamed.find("packed_gemm", at)) != std::string::npos; ++count)
    renamed.replace(at, 11, "direct_gemm");
  CHECK(count > 0);
  const object_code former = read_object(before, "row");
  CHECK(former.machine == 190);
  const code_comparison same = compared_code({former}, {read_object(renamed, "row")});
  CHECK(same.same());
  CHECK(same.functions >= 2);
  // The number of registers, as the driver reads it: the attribute 0x2f, 8 bytes for each kernel.
  std::string more_registers = before;
  const std::size_t entry = more_registers.find(std::string("\x04\x2f\x08\0", 4));
  REQUIRE(entry != std::string::npos);
  more_registers[entry + 8] = char(more_registers[entry + 8] + 8);
  CHECK_FALSE(compared_code({former}, {read_object(more_registers, "row")}).same());
  what.tuning.threads *= 2;
  CHECK_FALSE(compared_code({former}, {read_object(cubin_of(what), "row")}).same());
}
