// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernel of symmetric element matrices by strips, run on the host.
#include "strip_share_case.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using diffusion = pointwise::diffusion<3>;
using helmholtz = pointwise::helmholtz<3>;

template <class Stored, class Function, strip_case_sizes s>
void check() {
  INFO("p " << s.p << " q " << s.q << (s.packed ? ", packed" : ""));
  CHECK(worst_of_strips<Stored, Function, s>(3, 0, 3, 0) <= 1);
  CHECK(worst_of_strips<Stored, Function, s>(3, 1, 1, 5) <= 1);
}

}  // namespace

TEST_CASE("gpu strip share: whole matrices", "[fem][element]") {
  check<double, diffusion, strip_case_sizes{.p = 1, .q = 2, .threads = 32}>();
  check<float, helmholtz, strip_case_sizes{.p = 2, .q = 4}>();
  check<double, diffusion, strip_case_sizes{.p = 4, .q = 5, .staged = 1, .threads = 96}>();
  check<double, helmholtz, strip_case_sizes{.p = 5, .q = 7, .threads = 96}>();
  check<double, diffusion, strip_case_sizes{.p = 6, .q = 8, .threads = 128}>();
  check<double, diffusion, strip_case_sizes{.p = 7, .q = 8, .staged = 1, .threads = 128}>();
}

TEST_CASE("gpu strip share: lower triangles", "[fem][element]") {
  check<double, helmholtz, strip_case_sizes{.p = 2, .q = 3, .packed = true}>();
  check<double, diffusion, strip_case_sizes{.p = 4, .q = 6, .packed = true, .staged = 1}>();
  check<float, diffusion, strip_case_sizes{.p = 6, .q = 7, .packed = true, .threads = 128}>();
}
