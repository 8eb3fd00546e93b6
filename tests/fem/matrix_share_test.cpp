// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU's element matrix kernel, run on the host: operators, dimensions, tunings, storage.
#include "matrix_share_case.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T, class Stored, class Function, matrix_case_sizes s>
void check() {
  using sample = matrix_share_case<T, Stored, Function, s>;
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << ", " << s.elements << " elements, " << s.slices << " slices, "
                     << s.strips << " strips of " << s.components << " components" << (s.packed ? ", packed" : ""));
  CHECK(sample::worst(5, 0, 5, 0) <= 1);
  CHECK(sample::worst(5, 1, 3, 5) <= 1);
}

template <class T, template <int> class Function, bool packed>
void check_dimensions() {
  check<T, T, Function<1>, matrix_case_sizes{.p = 3, .q = 5, .packed = packed, .elements = 3}>();
  check<T, T, Function<2>, matrix_case_sizes{.p = 1, .q = 2, .packed = packed, .elements = 2, .strips = 2}>();
  check<T, T, Function<3>,
        matrix_case_sizes{.p = 2, .q = 3, .packed = packed, .slices = 2, .strips = 3, .threads = 96}>();
}

template <template <int> class Function, bool packed>
void check_sizes() {
  check<double, double, Function<2>, matrix_case_sizes{.p = 2, .q = 4, .packed = packed, .strips = 2, .threads = 64}>();
  check<double, double, Function<3>,
        matrix_case_sizes{.p = 1, .q = 3, .packed = packed, .elements = 2, .slices = 2, .strips = 2}>();
  check<double, double, Function<3>, matrix_case_sizes{.p = 2, .q = 4, .packed = packed, .strips = 2, .threads = 64}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu matrix share: mass and diffusion", "[fem][element]", float, double) {
  check_dimensions<TestType, pointwise::mass, false>();
  check_dimensions<TestType, pointwise::diffusion, false>();
}

TEST_CASE("gpu matrix share: more sizes", "[fem][element]") {
  check_sizes<pointwise::mass, false>();
  check_sizes<pointwise::mass, true>();
  check_sizes<pointwise::diffusion, false>();
}

TEST_CASE("gpu matrix share: the lower triangle", "[fem][element]") {
  check_dimensions<double, pointwise::mass, true>();
  check_dimensions<double, pointwise::helmholtz, true>();
}

TEST_CASE("gpu matrix share: other operators", "[fem][element]") {
  check_dimensions<double, pointwise::helmholtz, false>();
  check_dimensions<double, pointwise::convection, false>();
  check_dimensions<double, pointwise::advection_diffusion, false>();
}

TEST_CASE("gpu matrix share: high orders, tables that are not taken in halves", "[fem][element]") {
  check<double, double, pointwise::mass<3>,
        matrix_case_sizes{.p = 3, .q = 5, .slices = 4, .strips = 4, .threads = 256}>();
  check<double, double, pointwise::mass<3>, matrix_case_sizes{.p = 4, .q = 5, .strips = 5, .threads = 128, .pad = 0}>();
  check<double, double, pointwise::mass<2>, matrix_case_sizes{.p = 7, .q = 9, .strips = 3, .threads = 64}>();
  check<double, double, pointwise::diffusion<2>,
        matrix_case_sizes{.p = 6, .q = 8, .strips = 7, .threads = 64, .pad = 5}>();
  check<float, float, pointwise::diffusion<3>, matrix_case_sizes{.p = 3, .q = 4, .mirrored = false, .strips = 3}>();
  check<double, double, pointwise::mass<3>, matrix_case_sizes{.p = 2, .q = 2, .slices = 3, .strips = 3}>();
}

TEST_CASE("gpu matrix share: x and y of different functions, D in float", "[fem][element]") {
  check<double, float, pointwise::convection<3>, matrix_case_sizes{.p = 2, .q = 3, .own_test = true, .strips = 2}>();
  check<double, double, pointwise::helmholtz<2>, matrix_case_sizes{.p = 3, .q = 4, .own_test = true, .strips = 4}>();
  check<double, double, pointwise::mass<3>,
        matrix_case_sizes{
            .p = 2, .q = 3, .own_test = true, .mirrored = false, .elements = 2, .slices = 3, .strips = 3}>();
  check<double, float, pointwise::mass<1>, matrix_case_sizes{.p = 2, .q = 4, .own_test = true, .elements = 2}>();
}

TEST_CASE("gpu matrix share: fewer points than functions", "[fem][element]") {
  check<double, double, pointwise::diffusion<1>, matrix_case_sizes{.p = 3, .q = 3, .elements = 2}>();
  check<double, double, pointwise::helmholtz<2>, matrix_case_sizes{.p = 2, .q = 2, .packed = true, .strips = 2}>();
  check<double, double, pointwise::diffusion<3>,
        matrix_case_sizes{.p = 2, .q = 2, .slices = 2, .strips = 3, .threads = 96}>();
  check<double, double, pointwise::convection<2>, matrix_case_sizes{.p = 3, .q = 2, .own_test = true, .strips = 2}>();
}

TEST_CASE("gpu matrix share: components, coupled or not", "[fem][element]") {
  check<double, double, pointwise::elasticity<2>, matrix_case_sizes{.p = 2, .q = 3, .components = 2, .strips = 2}>();
  check<double, double, pointwise::elasticity<3>,
        matrix_case_sizes{.p = 1, .q = 2, .components = 3, .slices = 2, .strips = 2}>();
  check<double, double, pointwise::elasticity<2>,
        matrix_case_sizes{.p = 1, .q = 3, .components = 2, .packed = true, .strips = 1}>();
  check<double, double, pointwise::elasticity<1>, matrix_case_sizes{.p = 2, .q = 3}>();
  check<double, double, pointwise::mass<3>, matrix_case_sizes{.p = 2, .q = 3, .components = 2, .strips = 2}>();
  check<double, double, pointwise::diffusion<2>,
        matrix_case_sizes{.p = 2, .q = 4, .components = 3, .packed = true, .strips = 3}>();
  check<double, double, pointwise::elasticity<2>, matrix_case_sizes{.p = 1, .q = 2, .components = 4, .strips = 2}>();
}
