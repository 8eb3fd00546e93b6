// SPDX-License-Identifier: BSD-3-Clause
// General contractions on a GPU, exact in integers: drawn ones by several tiles.
#include <tessera/detail/general_candidates.hpp>
#include <tessera/gpu/detail/general/general_kernel.hpp>
#include <tessera/memory.hpp>

#include "testing/catch.hpp"
#include "testing/general_case.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

buffer placed(const std::vector<double>& from) {
  buffer made(space_kind::gpu, from.size() * sizeof(double));
  copy_memory(made.data(), from.data(), made.bytes());
  return made;
}
double* at(const buffer& of) { return static_cast<double*>(of.data()); }
std::vector<double> read(const buffer& from) {
  std::vector<double> found(from.bytes() / sizeof(double));
  copy_memory(found.data(), from.data(), from.bytes());
  return found;
}

// By so many tiles, from the cheapest to the dearest.
void check_case(const general_case& of, int tiles) {
  const general_form form = lower_general(of.modes(), of.facts);
  const auto found = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200).found;
  REQUIRE(!found.empty());
  const std::vector<double> wanted = of.after();
  const buffer left = placed(of.left), right = placed(of.right);
  for (int i = 0; i < tiles; ++i) {
    const std::size_t which = found.size() * std::size_t(i) / std::size_t(tiles);
    const device::general_kernel kernel(form, found[which].tile, of.beta != 0);
    INFO(of.text << ": " << kernel.name());
    const buffer out = placed(of.out);
    kernel.run({.left = at(left), .right = at(right), .out = at(out), .alpha = of.alpha, .beta = of.beta}, 1, nullptr);
    CHECK((read(out) == wanted));
  }
}

}  // namespace

TEST_CASE("gpu general contractions: drawn ones by several tiles", "[gpu][general]") {
  if (absent()) return;
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    check_case(drawn_case(seed, 17), 3);
  }
}

TEST_CASE("gpu general contractions: 500 drawn ones", "[.long]") {
  if (absent()) return;
  for (unsigned seed = 100; seed < 600; ++seed) {
    INFO("seed " << seed);
    check_case(drawn_case(seed, seed % 3 == 0 ? 40 : 13), 2);
  }
}

TEST_CASE("gpu general contractions: a few drawn ones", "[gpu][general][sanitize]") {
  if (absent()) return;
  for (unsigned seed = 600; seed < 604; ++seed) check_case(drawn_case(seed, 9), 2);
}
