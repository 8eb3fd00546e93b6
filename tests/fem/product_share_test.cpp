// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernels of symmetric element matrices by pairs of the last direction, run on the host.
#include "product_share_case.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;

constexpr product_way held = product_way::held, alone = product_way::alone;

template <class Stored, class Function, product_case_sizes s>
void check() {
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << ", " << s.elements << " elements, way " << int(s.way)
                     << (s.packed ? ", packed" : ""));
  CHECK(worst_of_products<Stored, Function, s>(3, 0, 3, 0) <= 1);
  CHECK(worst_of_products<Stored, Function, s>(3, 1, 1, 5) <= 1);
}

}  // namespace

TEST_CASE("gpu product share: D in registers", "[fem][element]") {
  check<double, pointwise::diffusion<3>,
        product_case_sizes{.p = 2, .q = 4, .way = held, .elements = 3, .sharing = 2, .threads = 64}>();
  check<double, pointwise::helmholtz<3>,
        product_case_sizes{.p = 2, .q = 3, .packed = true, .way = held, .elements = 2}>();
  check<float, pointwise::diffusion<3>,
        product_case_sizes{.p = 3, .q = 4, .packed = true, .way = held, .sharing = 2}>();
}

TEST_CASE("gpu product share: a thread for each pair", "[fem][element]") {
  check<double, pointwise::diffusion<2>,
        product_case_sizes{.p = 1, .q = 2, .packed = true, .way = alone, .elements = 3}>();
  check<double, pointwise::helmholtz<2>, product_case_sizes{.p = 5, .q = 7, .way = alone}>();
  check<double, pointwise::diffusion<2>, product_case_sizes{.p = 8, .q = 10, .packed = true, .way = alone}>();
  check<double, pointwise::diffusion<3>,
        product_case_sizes{.p = 1, .q = 3, .way = alone, .elements = 3, .threads = 64}>();
  check<float, pointwise::helmholtz<3>,
        product_case_sizes{.p = 1, .q = 2, .packed = true, .way = alone, .elements = 2}>();
}
