// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernel of symmetric element matrices by strips, run on the host.
#include "strip_share_case.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using diffusion = pointwise::diffusion<3>;
using helmholtz = pointwise::helmholtz<3>;

// Each product switches from lane to lane of a warp, so orders are low and elements few: the others run on a GPU.
template <class Stored, class Function, strip_case_sizes s>
void check() {
  INFO("p " << s.p << " q " << s.q << (s.packed ? ", packed" : ""));
  CHECK(worst_of_strips<Stored, Function, s>(2, 1, 1, 5) <= 1);
}

}  // namespace

TEST_CASE("gpu strip share: whole matrices", "[fem][element]") {
  check<double, diffusion, strip_case_sizes{.p = 1, .q = 2, .threads = 32}>();
  CHECK(worst_of_strips<float, helmholtz, strip_case_sizes{.p = 2, .q = 4}>(3, 0, 3, 0) <= 1);
  check<double, diffusion, strip_case_sizes{.p = 3, .q = 5, .staged = 1, .threads = 96}>();
  check<double, helmholtz, strip_case_sizes{.p = 4, .q = 6}>();
}

TEST_CASE("gpu strip share: lower triangles", "[fem][element]") {
  check<double, helmholtz, strip_case_sizes{.p = 2, .q = 3, .packed = true}>();
  check<float, diffusion, strip_case_sizes{.p = 3, .q = 4, .packed = true, .staged = 1}>();
}
