// SPDX-License-Identifier: BSD-3-Clause
// Tests counting of vector accesses to the stack in disassembly.
#include "work/stack_traffic.hpp"

#include "testing/catch.hpp"

using namespace tessera::tune;

TEST_CASE("accesses between multiplications count, by function; others do not") {
  const auto counts = stack_accesses_in(
      "\n0000000000001120 <first>:\n"
      "    1120:\tvmovapd %ymm0,-0x40(%rsp)\n"  // before any multiplication
      "    1124:\tvfmadd231pd %ymm0,%ymm1,%ymm2\n"
      "    1128:\tvmovapd %ymm2,0x20(%rsp)\n"
      "    112c:\tvmovapd (%rdi),%ymm2\n"
      "    1130:\tmov    0x8(%rsp),%rax\n"  // no vector
      "    1134:\tvfmadd231pd 0x40(%rsp),%ymm1,%ymm2\n"
      "    1138:\tvmovapd 0x20(%rsp),%ymm3\n"  // after the last one
      "    113c:\tret\n"
      "\n0000000000001140 <second>:\n"
      "    1140:\tmulpd  %xmm0,%xmm1\n"
      "    1144:\tmovups %xmm1,(%rsp)\n"
      "    1148:\tmulpd  %xmm0,%xmm1\n");
  REQUIRE(counts.size() == 2);
  CHECK(counts.at(0x1120) == 2);
  CHECK(counts.at(0x1140) == 1);
}

TEST_CASE("accesses far from multiplications do not count") {
  std::string text = "0000000000000010 <f>:\n  10:\tvmulsd %xmm0,%xmm1,%xmm2\n";
  for (int i = 0; i < 30; ++i) text += "  20:\tvmovapd %ymm2,0x20(%rsp)\n";
  text += "  30:\tvmulsd %xmm0,%xmm1,%xmm2\n";
  CHECK(stack_accesses_in(text).at(0x10) == 0);
}

TEST_CASE("stack accesses of 64-bit ARM are recognised") {
  CHECK(stack_accesses_in("0000000000000010 <f>:\n"
                          "  10:\tfmla\tv0.2d, v1.2d, v2.d[0]\n"
                          "  14:\tstr\tq0, [sp, #16]\n"
                          "  18:\tldr\tx0, [sp, #32]\n"
                          "  1c:\tfmla\tv0.2d, v1.2d, v2.d[0]\n")
            .at(0x10) == 1);
}

TEST_CASE("an object that is not there has no counts") { CHECK(!stack_accesses_of("/nowhere/object.so").has_value()); }
