// SPDX-License-Identifier: BSD-3-Clause
// The words of describe() about the instruction set of a user's function.
#include "cpu/element/function_isa.hpp"

#include "testing/catch.hpp"

using tessera::target;
using tessera::detail::function_isa_of;
using tessera::detail::function_isa_text;

TEST_CASE("the instruction set of a user's function is named, and a wider one is hinted at", "[element]") {
  const std::string both = function_isa_text(target::sse2, target::avx512);
  CHECK(both.find("compiled for sse2") != std::string::npos);
  CHECK(both.find("this CPU has avx512") != std::string::npos);
  CHECK(both.find("tessera_target_isa") != std::string::npos);
  const std::string widest = function_isa_text(target::avx512, target::avx512);
  CHECK(widest.find("compiled for avx512") != std::string::npos);
  CHECK(widest.find("this CPU has") == std::string::npos);
  CHECK(function_isa_text(target::avx512, target::avx2).find("this CPU has") == std::string::npos);
}

TEST_CASE("nothing is said of functions without machine code of a known kind", "[element]") {
  CHECK(function_isa_text({}, target::avx2).empty());
  tessera::compiled_function<double> f;
  CHECK(!function_isa_of(&f));
  f.isa = target::cuda;
  CHECK(!function_isa_of(&f));
  f.isa = target::neon;
  CHECK(function_isa_of(&f) == target::neon);
  CHECK(!function_isa_of<double>(nullptr));
}
