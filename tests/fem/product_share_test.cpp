// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernel of symmetric element matrices by products of warps, run on the host.
#include "product_share_case.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class Stored, class Function, product_case_sizes s>
void check() {
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << ", " << s.elements << " elements"
                     << (s.rounds ? ", rounds" : "") << (s.fused ? ", fused" : "") << (s.packed ? ", packed" : ""));
  CHECK(worst_of_products<Stored, Function, s>(3, 0, 3, 0) <= 1);
  CHECK(worst_of_products<Stored, Function, s>(3, 1, 1, 5) <= 1);
}

template <template <int> class Function, bool packed>
void check_dimensions() {
  check<double, Function<2>, product_case_sizes{.p = 1, .q = 2, .packed = packed, .elements = 2}>();
  check<double, Function<2>, product_case_sizes{.p = 3, .q = 5, .packed = packed, .elements = 2, .tiles = 2}>();
  check<double, Function<3>, product_case_sizes{.p = 1, .q = 3, .packed = packed, .elements = 2, .fused = true}>();
  check<double, Function<3>, product_case_sizes{.p = 2, .q = 4, .packed = packed, .threads = 64}>();
  check<double, Function<3>, product_case_sizes{.p = 2, .q = 3, .packed = packed, .rounds = true, .threads = 64}>();
}

}  // namespace

TEST_CASE("gpu product share: diffusion and Helmholtz", "[fem][element]") {
  check_dimensions<pointwise::diffusion, false>();
  check_dimensions<pointwise::helmholtz, true>();
}

TEST_CASE("gpu product share: several tiles of rows, points for one pair a tile", "[fem][element]") {
  check<double, pointwise::diffusion<3>, product_case_sizes{.p = 3, .q = 5, .packed = true, .threads = 96}>();
  check<double, pointwise::diffusion<3>,
        product_case_sizes{.p = 4, .q = 5, .rounds = true, .tiles = 2, .threads = 64}>();
  check<float, pointwise::diffusion<2>,
        product_case_sizes{.p = 6, .q = 7, .packed = true, .tiles = 2, .threads = 64}>();
  check<double, pointwise::mass<3>, product_case_sizes{.p = 2, .q = 5, .tiles = 2}>();
}

TEST_CASE("gpu product share: D in registers", "[fem][element]") {
  check<double, pointwise::diffusion<3>,
        product_case_sizes{.p = 2, .q = 4, .elements = 3, .held = true, .tiles = 2, .threads = 64}>();
  check<double, pointwise::helmholtz<3>,
        product_case_sizes{.p = 2, .q = 3, .packed = true, .elements = 2, .held = true}>();
  check<float, pointwise::diffusion<3>, product_case_sizes{.p = 3, .q = 4, .packed = true, .held = true, .tiles = 2}>();
}

TEST_CASE("gpu product share: the last direction by lines of threads", "[fem][element]") {
  check<double, pointwise::diffusion<3>,
        product_case_sizes{.p = 2, .q = 5, .elements = 2, .lines = true, .threads = 64}>();
  check<double, pointwise::helmholtz<2>,
        product_case_sizes{.p = 3, .q = 5, .packed = true, .elements = 2, .lines = true, .threads = 64}>();
}

TEST_CASE("gpu product share: a thread for each pair", "[fem][element]") {
  check<double, pointwise::diffusion<2>,
        product_case_sizes{.p = 1, .q = 2, .packed = true, .elements = 3, .alone = true}>();
  check<double, pointwise::helmholtz<2>, product_case_sizes{.p = 5, .q = 7, .alone = true}>();
  check<double, pointwise::diffusion<3>,
        product_case_sizes{.p = 1, .q = 3, .elements = 3, .alone = true, .threads = 64}>();
  check<float, pointwise::helmholtz<3>,
        product_case_sizes{.p = 1, .q = 2, .packed = true, .elements = 2, .alone = true}>();
}
