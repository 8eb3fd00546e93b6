// SPDX-License-Identifier: BSD-3-Clause
// Which name was meant.
#include <tessera/detail/nearest_name.hpp>

#include <string>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

constexpr std::string_view targets[] = {"best", "reference", "sse2",   "avx2", "avx512",
                                        "neon", "sve256",    "sve512", "cuda"};
constexpr std::string_view operators[] = {"mass", "diffusion", "helmholtz", "convection", "elasticity"};

}  // namespace

TEST_CASE("a misspelt name has a nearest one", "[names]") {
  for (const auto& [given, meant] : {std::pair{"sse9", "sse2"},
                                     {"sse", "sse2"},
                                     {"AVX2", "avx2"},
                                     {"avx-512", "avx512"},
                                     {"avx51", "avx512"},
                                     {"avx521", "avx512"},
                                     {"cude", "cuda"},
                                     {"noen", "neon"},
                                     {"sve-256", "sve256"},
                                     {"refernce", "reference"},
                                     {"ref", "reference"}}) {
    INFO(given);
    CHECK(nearest_name(given, targets) == meant);
  }
  CHECK(nearest_name("difusion", operators) == "diffusion");
  CHECK(nearest_name("Helmholz", operators) == "helmholtz");
  CHECK(nearest_name("elastic", operators) == "elasticity");
  CHECK(nearest_name("elastisitat", operators) == "elasticity");  // three changes, eleven letters
  CHECK(nearest_name("maz", operators).empty());                  // two, of four
  CHECK(did_you_mean("masss", operators) == " (did you mean 'mass'?)");
}

TEST_CASE("a name that is near to none has no nearest one", "[names]") {
  for (const char* given : {"", "x", "pentium", "gpu", "wave", "12345678"}) {
    INFO(given);
    CHECK(nearest_name(given, targets).empty());
    CHECK(did_you_mean(given, targets).empty());
  }
  CHECK(nearest_name(std::string(1 << 20, 'a'), targets).empty());
  CHECK(nearest_name("avx2", {}).empty());
  constexpr std::string_view letters[] = {"a", "b"};
  CHECK(nearest_name("c", letters).empty());
}
