// SPDX-License-Identifier: BSD-3-Clause
// The phases of the GPU's element kernels, run on the host: elements in pieces, planes, and all applications at once.
#include "element_program_checks.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using sizes = program_sizes;
using pointwise::mass, pointwise::diffusion, pointwise::helmholtz, pointwise::convection, pointwise::elasticity;

template <class T, template <int> class Function, int packed>
void check_pieces_of() {
  check_program_pieces<T, Function<3>,
                       sizes{.p = 2, .q = 3, .last = 1, .elements = 3, .prefetch = 3, .packed = packed}>();
  check_program_pieces<T, Function<2>,
                       sizes{.p = 2, .q = 3, .last = 0, .elements = 2, .staged = true, .packed = packed}>();
  check_program_pieces<T, Function<3>,
                       sizes{
                           .p = 1, .q = 3, .last = 2, .elements = 2, .staged = true, .packed = packed, .batches = 3}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element program: elements in pieces, from anywhere", "[fem][element]", float, double) {
  check_pieces_of<TestType, mass, 1>();
  check_pieces_of<TestType, mass, 2>();
  check_pieces_of<TestType, diffusion, 2>();
}

TEST_CASE("gpu element program: elements in pieces, other operators and ways", "[fem][element]") {
  check_pieces_of<double, elasticity, 1>();
  check_pieces_of<double, convection, 2>();
  check_program_pieces<double, diffusion<3>,
                       sizes{.p = 2, .q = 3, .last = 2, .elements = 3, .direct = true, .staged = true, .packed = 2},
                       float>();
  check_program_pieces<
      double, helmholtz<3>,
      sizes{.p = 2, .q = 3, .own_test = true, .mirrored = false, .last = 2, .elements = 2, .packed = 1}>();
}

TEST_CASE("gpu element program: all applications to an element at the same time", "[fem][element]") {
  check_program<double, mass<3>, sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .prefetch = 4, .together = 3}>();
  check_program<
      double, diffusion<2>,
      sizes{.p = 2, .q = 4, .last = 1, .elements = 2, .unit = false, .direct = true, .staged = true, .together = 2}>();
  check_program<float, elasticity<2>, sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .together = 2}>();
  check_program_pieces<
      double, mass<3>,
      sizes{.p = 2, .q = 3, .last = 2, .elements = 2, .staged = true, .packed = 2, .together = 3, .batches = 2}>();
  check_program_pieces<
      float, diffusion<3>,
      sizes{.p = 1, .q = 3, .last = 2, .elements = 3, .direct = true, .staged = true, .packed = 1, .together = 2}>();
}

TEST_CASE("gpu element program: threads hold planes", "[fem][element]") {
  check_program<double, mass<3>,
                sizes{.p = 1, .q = 3, .mirrored = false, .last = 0, .elements = 7, .prefetch = 3, .by_plane = true}>();
  check_program<float, mass<3>, sizes{.p = 3, .q = 4, .last = 2, .elements = 3, .prefetch = 1, .by_plane = true}>();
  check_program<
      double, mass<3>,
      sizes{
          .p = 2, .q = 4, .own_test = true, .last = 1, .elements = 2, .several = true, .unit = false, .by_plane = true},
      float>();
  check_program<double, mass<3>, sizes{.p = 3, .q = 3, .last = 1, .elements = 2, .by_plane = true}>();
  check_program_pieces<float, mass<3>,
                       sizes{.p = 2, .q = 3, .last = 2, .elements = 3, .prefetch = 2, .by_plane = true, .packed = 1}>();
  check_program_pieces<double, mass<3>,
                       sizes{.p = 1,
                             .q = 3,
                             .last = 0,
                             .elements = 3,
                             .staged = true,
                             .by_plane = true,
                             .packed = 2,
                             .together = 2,
                             .batches = 2}>();
}

namespace {

template <template <int> class Function>
void check_planes_with_slopes() {
  using F = Function<3>;
  check_program<double, F,
                sizes{.p = 2, .q = 4, .last = 2, .elements = 3, .prefetch = 2, .direct = true, .by_plane = true}>();
  check_program<double, F,
                sizes{.p = 3, .q = 3, .own_test = true, .mirrored = false, .last = 1, .direct = true, .by_plane = true},
                float>();
  check_program_pieces<float, F,
                       sizes{.p = 1,
                             .q = 3,
                             .last = 0,
                             .elements = 2,
                             .direct = true,
                             .staged = true,
                             .by_plane = true,
                             .packed = 2,
                             .together = 2}>();
}

}  // namespace

TEST_CASE("gpu element program: threads hold planes, with derivatives", "[fem][element]") {
  check_planes_with_slopes<diffusion>();
  check_planes_with_slopes<helmholtz>();
  check_planes_with_slopes<convection>();
}

TEST_CASE("gpu element program: several right hand sides and components, any layout, D in float", "[fem][element]") {
  check_program<double, mass<3>, sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .prefetch = 4, .several = true},
                float>();
  check_program<double, helmholtz<3>,
                sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .prefetch = 1, .several = true, .unit = false}>();
  check_program<double, elasticity<2>, sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .several = true, .unit = false},
                float>();
  check_program<float, diffusion<2>, sizes{.p = 2, .q = 4, .last = 1, .elements = 3, .several = true}>();
}
