// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernel of symmetric element matrices by lines in halves, run on the host.
#include "halved_share_case.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using diffusion = pointwise::diffusion<3>;
using helmholtz = pointwise::helmholtz<3>;

template <class Stored, class Function, halved_case_sizes s>
void check() {
  INFO("p " << s.p << " q " << s.q << (s.sliced ? ", sliced" : "") << (s.packed ? ", packed" : ""));
  if (s.p < 5) CHECK(worst_of_halves<Stored, Function, s>(3, 0, 3, 0) <= 1);  // large matrices one by one
  CHECK(worst_of_halves<Stored, Function, s>(3, 1, 1, 5) <= 1);
}

}  // namespace

TEST_CASE("gpu halved share: whole matrices", "[fem][element]") {
  check<double, diffusion, halved_case_sizes{.p = 3, .q = 4, .threads = 160}>();
  check<double, diffusion, halved_case_sizes{.p = 3, .q = 5, .packed = true, .along = true, .threads = 160}>();
  check<float, helmholtz, halved_case_sizes{.p = 2, .q = 4, .along = true}>();
  check<double, helmholtz, halved_case_sizes{.p = 1, .q = 3, .packed = true}>();
  check<double, diffusion, halved_case_sizes{.p = 2, .q = 2}>();
}

TEST_CASE("gpu halved share: sums replaced in place", "[fem][element]") {
  check<double, diffusion, halved_case_sizes{.p = 4, .q = 5, .packed = true, .waves = 1, .threads = 384}>();
  check<double, diffusion, halved_case_sizes{.p = 4, .q = 6, .waves = 1, .along = true, .threads = 384}>();
  check<double, diffusion, halved_case_sizes{.p = 3, .q = 5, .waves = 2, .along = true, .threads = 128}>();
  check<double, helmholtz, halved_case_sizes{.p = 2, .q = 4, .packed = true, .waves = 1, .threads = 256}>();
}

TEST_CASE("gpu halved share: tiles", "[fem][element]") {
  check<double, diffusion, halved_case_sizes{.p = 3, .q = 4, .tiled = 2, .threads = 64}>();
  check<double, helmholtz, halved_case_sizes{.p = 3, .q = 5, .tiled = 1, .waves = 1, .threads = 256}>();
  check<double, diffusion, halved_case_sizes{.p = 5, .q = 6, .tiled = 3, .waves = 1, .threads = 256}>();
  check<double, helmholtz, halved_case_sizes{.p = 5, .q = 7, .tiled = 3, .waves = 1, .along = true, .threads = 256}>();
}

TEST_CASE("gpu halved share: slices", "[fem][element]") {
  check<double, diffusion, halved_case_sizes{.p = 2, .q = 3, .sliced = true}>();
  check<double, helmholtz, halved_case_sizes{.p = 4, .q = 5, .sliced = true, .along = true}>();
  check<double, diffusion,
        halved_case_sizes{.p = 3, .q = 5, .packed = true, .sliced = true, .waves = 1, .threads = 128}>();
  check<double, diffusion, halved_case_sizes{.p = 5, .q = 6, .sliced = true, .waves = 1, .threads = 256}>();
  check<double, diffusion,
        halved_case_sizes{.p = 5, .q = 7, .packed = true, .sliced = true, .waves = 1, .threads = 256}>();
}
