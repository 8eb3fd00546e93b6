// SPDX-License-Identifier: BSD-3-Clause
// The phases of the GPU's element kernels, run on the host: elements in pieces, planes, and all applications at once.
#include "element_program_checks.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T, template <int> class Function, int packed>
void check_pieces_of() {
  check_program_pieces<T, T, Function<3>,
                       program_sizes{.p = 2, .q = 3, .last = 1, .elements = 3, .prefetch = 3, .packed = packed}>();
  check_program_pieces<T, T, Function<2>,
                       program_sizes{.p = 2, .q = 3, .last = 0, .elements = 2, .staged = true, .packed = packed}>();
  check_program_pieces<T, T, Function<3>,
                       program_sizes{
                           .p = 1, .q = 3, .last = 2, .elements = 2, .staged = true, .packed = packed, .batches = 3}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element program: elements in pieces, from anywhere", "[fem][element]", float, double) {
  check_pieces_of<TestType, pointwise::mass, 1>();
  check_pieces_of<TestType, pointwise::mass, 2>();
  check_pieces_of<TestType, pointwise::diffusion, 2>();
}

TEST_CASE("gpu element program: elements in pieces, other operators and ways", "[fem][element]") {
  check_pieces_of<double, pointwise::elasticity, 1>();
  check_pieces_of<double, pointwise::convection, 2>();
  check_program_pieces<double, float, pointwise::diffusion<3>,
                       program_sizes{
                           .p = 2, .q = 3, .last = 2, .elements = 3, .direct = true, .staged = true, .packed = 2}>();
  check_program_pieces<
      double, double, pointwise::helmholtz<3>,
      program_sizes{.p = 2, .q = 3, .own_test = true, .mirrored = false, .last = 2, .elements = 2, .packed = 1}>();
}

TEST_CASE("gpu element program: all applications to an element at the same time", "[fem][element]") {
  check_program<double, double, pointwise::mass<3>,
                program_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .prefetch = 4, .together = 3}>();
  check_program<
      double, double, pointwise::diffusion<2>,
      program_sizes{
          .p = 2, .q = 4, .last = 1, .elements = 2, .unit = false, .direct = true, .staged = true, .together = 2}>();
  check_program<float, float, pointwise::elasticity<2>,
                program_sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .together = 2}>();
  check_program_pieces<
      double, double, pointwise::mass<3>,
      program_sizes{
          .p = 2, .q = 3, .last = 2, .elements = 2, .staged = true, .packed = 2, .together = 3, .batches = 2}>();
  check_program_pieces<
      float, float, pointwise::diffusion<3>,
      program_sizes{
          .p = 1, .q = 3, .last = 2, .elements = 3, .direct = true, .staged = true, .packed = 1, .together = 2}>();
}

TEST_CASE("gpu element program: threads hold planes", "[fem][element]") {
  using mass = pointwise::mass<3>;
  check_program<double, double, mass,
                program_sizes{
                    .p = 1, .q = 3, .mirrored = false, .last = 0, .elements = 7, .prefetch = 3, .by_plane = true}>();
  check_program<float, float, mass,
                program_sizes{.p = 3, .q = 4, .last = 2, .elements = 3, .prefetch = 1, .by_plane = true}>();
  check_program<double, float, mass,
                program_sizes{.p = 2,
                              .q = 4,
                              .own_test = true,
                              .last = 1,
                              .elements = 2,
                              .several = true,
                              .unit = false,
                              .by_plane = true}>();
  check_program<double, double, mass, program_sizes{.p = 3, .q = 3, .last = 1, .elements = 2, .by_plane = true}>();
  check_program_pieces<float, float, mass,
                       program_sizes{
                           .p = 2, .q = 3, .last = 2, .elements = 3, .prefetch = 2, .by_plane = true, .packed = 1}>();
  check_program_pieces<double, double, mass,
                       program_sizes{.p = 1,
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
  check_program<double, double, F,
                program_sizes{
                    .p = 2, .q = 4, .last = 2, .elements = 3, .prefetch = 2, .direct = true, .by_plane = true}>();
  check_program<
      double, float, F,
      program_sizes{
          .p = 3, .q = 3, .own_test = true, .mirrored = false, .last = 1, .direct = true, .by_plane = true}>();
  check_program_pieces<float, float, F,
                       program_sizes{.p = 1,
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
  check_planes_with_slopes<pointwise::diffusion>();
  check_planes_with_slopes<pointwise::helmholtz>();
  check_planes_with_slopes<pointwise::convection>();
}

TEST_CASE("gpu element program: several right hand sides and components, any layout, D in float", "[fem][element]") {
  check_program<double, float, pointwise::mass<3>,
                program_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .prefetch = 4, .several = true}>();
  check_program<double, double, pointwise::helmholtz<3>,
                program_sizes{
                    .p = 2, .q = 3, .last = 1, .elements = 2, .prefetch = 1, .several = true, .unit = false}>();
  check_program<double, float, pointwise::elasticity<2>,
                program_sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .several = true, .unit = false}>();
  check_program<float, float, pointwise::diffusion<2>,
                program_sizes{.p = 2, .q = 4, .last = 1, .elements = 3, .several = true}>();
}
