// SPDX-License-Identifier: BSD-3-Clause
// The phases of the GPU's element kernels, run on the host: every operator, dimension, kind of table and layout.
#include "element_program_checks.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T, template <int> class Function>
void check_dimensions() {
  check_program<T, T, Function<1>, program_sizes{.p = 2, .q = 4, .last = 0, .elements = 3}>();
  check_program<T, T, Function<2>, program_sizes{.p = 1, .q = 3, .last = 1, .elements = 2, .prefetch = 2}>();
  check_program<T, T, Function<3>, program_sizes{.p = 2, .q = 4, .last = 1, .elements = 2}>();
}

// What needs no value and gradient together, and no components, in more sizes.
template <template <int> class Function>
void check_sizes() {
  check_program<double, double, Function<2>, program_sizes{.p = 3, .q = 4, .last = 0, .elements = 3, .prefetch = 4}>();
  check_program<double, double, Function<3>, program_sizes{.p = 1, .q = 2, .last = 2, .elements = 4, .prefetch = 1}>();
  check_program<double, double, Function<3>, program_sizes{.p = 3, .q = 5, .last = 2, .elements = 1, .prefetch = 5}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element program: mass and diffusion", "[fem][element]", float, double) {
  check_dimensions<TestType, pointwise::mass>();
  check_dimensions<TestType, pointwise::diffusion>();
}

TEST_CASE("gpu element program: mass and diffusion, more sizes", "[fem][element]") {
  check_sizes<pointwise::mass>();
  check_sizes<pointwise::diffusion>();
}

TEST_CASE("gpu element program: other operators", "[fem][element]") {
  check_dimensions<double, pointwise::helmholtz>();
  check_dimensions<double, pointwise::convection>();
  check_dimensions<double, pointwise::elasticity>();
  check_dimensions<double, pointwise::advection_diffusion>();
}

TEST_CASE("gpu element program: high orders", "[fem][element]") {
  check_program<double, double, pointwise::mass<3>,
                program_sizes{.p = 4, .q = 6, .last = 2, .elements = 3, .prefetch = 6}>();
  check_program<double, double, pointwise::diffusion<3>, program_sizes{.p = 4, .q = 5, .last = 1, .elements = 2}>();
  check_program<double, double, pointwise::diffusion<2>, program_sizes{.p = 7, .q = 8, .last = 0, .elements = 2}>();
  check_program<double, double, pointwise::mass<2>, program_sizes{.p = 8, .q = 10, .last = 1, .elements = 3}>();
  check_program<double, double, pointwise::mass<3>, program_sizes{.p = 3, .q = 3, .last = 2, .elements = 2}>();
}

namespace {

template <template <int> class Function>
void check_direct() {
  check_program<double, double, Function<2>,
                program_sizes{.p = 2, .q = 4, .last = 1, .elements = 3, .direct = true, .staged = true}>();
  check_program<double, double, Function<3>,
                program_sizes{
                    .p = 1, .q = 3, .mirrored = false, .last = 2, .elements = 2, .prefetch = 2, .direct = true}>();
  check_program<double, double, Function<3>,
                program_sizes{.p = 3, .q = 4, .last = 1, .elements = 2, .direct = true, .staged = true}>();
  check_program<double, float, Function<3>,
                program_sizes{
                    .p = 2, .q = 4, .own_test = true, .last = 2, .several = true, .unit = false, .direct = true}>();
}

}  // namespace

namespace {

template <class Stored, class Function, program_sizes s>
void check_by_warp() {
  constexpr program_sizes whole = [] {
    program_sizes w = s;
    w.by_warp = true;
    w.last = 2;
    w.direct = Function::trial.gradient || Function::test.gradient;
    return w;
  }();
  check_program<double, Stored, Function, whole>();
}

}  // namespace

TEST_CASE("gpu element program: a warp holds whole elements, four of few points", "[fem][element]") {
  check_by_warp<double, pointwise::mass<3>, program_sizes{.p = 1, .q = 2, .mirrored = false, .elements = 4}>();
  check_by_warp<double, pointwise::mass<3>, program_sizes{.p = 2, .q = 4, .elements = 8, .prefetch = 4}>();
  check_by_warp<double, pointwise::mass<3>, program_sizes{.p = 2, .q = 4, .elements = 4, .staged = true}>();
  check_by_warp<double, pointwise::diffusion<3>, program_sizes{.p = 2, .q = 3, .elements = 4}>();
  check_by_warp<double, pointwise::diffusion<3>, program_sizes{.p = 2, .q = 4, .elements = 8, .staged = true}>();
  check_by_warp<float, pointwise::helmholtz<3>,
                program_sizes{.p = 2, .q = 4, .own_test = true, .elements = 4, .several = true, .unit = false}>();
}

TEST_CASE("gpu element program: a warp holds one element", "[fem][element]") {
  check_by_warp<double, pointwise::mass<3>, program_sizes{.p = 5, .q = 7, .elements = 2, .prefetch = 3}>();
  check_by_warp<double, pointwise::mass<3>, program_sizes{.p = 6, .q = 8, .elements = 1}>();
  check_by_warp<double, pointwise::mass<3>, program_sizes{.p = 7, .q = 6, .mirrored = false, .elements = 3}>();
  check_by_warp<double, pointwise::diffusion<3>, program_sizes{.p = 4, .q = 6, .elements = 2, .staged = true}>();
  check_by_warp<double, pointwise::diffusion<3>, program_sizes{.p = 6, .q = 7, .mirrored = false, .elements = 1}>();
  check_by_warp<double, pointwise::helmholtz<3>, program_sizes{.p = 3, .q = 5, .elements = 2, .several = true}>();
  check_by_warp<double, pointwise::convection<3>, program_sizes{.p = 5, .q = 6, .own_test = true, .elements = 1}>();
}

TEST_CASE("gpu element program: derivatives taken directly, D through shared memory", "[fem][element]") {
  check_direct<pointwise::diffusion>();
  check_direct<pointwise::helmholtz>();
  check_direct<pointwise::convection>();
  check_program<float, float, pointwise::diffusion<3>,
                program_sizes{.p = 4, .q = 6, .last = 2, .elements = 2, .direct = true, .staged = true}>();
  check_program<double, double, pointwise::mass<3>,
                program_sizes{.p = 2, .q = 4, .last = 2, .elements = 3, .staged = true}>();
  check_program<double, double, pointwise::elasticity<3>,
                program_sizes{.p = 1, .q = 2, .last = 2, .elements = 3, .staged = true}>();
  check_program<double, double, pointwise::helmholtz<2>,
                program_sizes{.p = 2, .q = 3, .nodal = true, .last = 1, .elements = 2, .staged = true}>();
}

TEST_CASE("gpu element program: nodes that are the points, and tables that are not taken in halves", "[fem][element]") {
  check_program<double, double, pointwise::mass<3>,
                program_sizes{.p = 2, .q = 3, .nodal = true, .last = 2, .elements = 2, .prefetch = 3}>();
  check_program<double, double, pointwise::helmholtz<3>,
                program_sizes{.p = 3, .q = 4, .nodal = true, .last = 1, .elements = 2}>();
  check_program<double, double, pointwise::elasticity<2>,
                program_sizes{.p = 2, .q = 3, .nodal = true, .last = 0, .elements = 3}>();
  check_program<double, double, pointwise::helmholtz<1>, program_sizes{.p = 2, .q = 3, .nodal = true, .elements = 3}>();
  check_program<double, double, pointwise::mass<3>,
                program_sizes{.p = 2, .q = 4, .mirrored = false, .last = 2, .elements = 2}>();
  check_program<double, double, pointwise::helmholtz<2>,
                program_sizes{.p = 2, .q = 3, .mirrored = false, .last = 1, .elements = 2}>();
}

namespace {

template <template <int> class Function>
void check_fewer_points() {
  check_program<double, double, Function<1>,
                program_sizes{
                    .p = 2, .q = 2, .elements = 4, .prefetch = 2, .several = true, .unit = false, .direct = true}>();
  check_program<double, double, Function<2>,
                program_sizes{.p = 4, .q = 4, .last = 0, .elements = 2, .direct = true, .staged = true}>();
  check_program<double, float, Function<3>,
                program_sizes{
                    .p = 3, .q = 3, .last = 1, .elements = 2, .several = true, .unit = false, .direct = true}>();
}

}  // namespace

TEST_CASE("gpu element program: fewer points than functions", "[fem][element]") {
  check_fewer_points<pointwise::diffusion>();
  check_fewer_points<pointwise::helmholtz>();
  check_fewer_points<pointwise::convection>();
  check_program<double, double, pointwise::diffusion<1>,
                program_sizes{.p = 3, .q = 3, .elements = 3, .direct = true}>();
  check_program<double, double, pointwise::diffusion<2>,
                program_sizes{.p = 1, .q = 1, .last = 1, .elements = 4, .direct = true}>();
  check_program<double, double, pointwise::helmholtz<3>,
                program_sizes{
                    .p = 2, .q = 2, .mirrored = false, .last = 2, .elements = 3, .prefetch = 2, .direct = true}>();
  check_program<float, float, pointwise::convection<3>,
                program_sizes{.p = 3, .q = 2, .own_test = true, .last = 2, .direct = true}>();
  check_program<double, double, pointwise::mass<1>, program_sizes{.p = 3, .q = 3, .elements = 3}>();
  check_program<double, double, pointwise::mass<2>, program_sizes{.p = 2, .q = 2, .last = 1, .elements = 3}>();
  check_program<double, double, pointwise::mass<3>, program_sizes{.p = 3, .q = 3, .last = 1, .elements = 2}>();
  check_by_warp<double, pointwise::diffusion<3>, program_sizes{.p = 3, .q = 3, .elements = 4}>();
  check_by_warp<double, pointwise::helmholtz<3>, program_sizes{.p = 6, .q = 5, .elements = 2}>();
}

TEST_CASE("gpu element program: x and y of different functions", "[fem][element]") {
  check_program<double, double, pointwise::helmholtz<3>,
                program_sizes{.p = 3, .q = 4, .own_test = true, .last = 2, .elements = 2}>();
  check_program<double, double, pointwise::convection<2>,
                program_sizes{.p = 2, .q = 4, .own_test = true, .mirrored = false, .last = 0, .elements = 2}>();
  check_program<double, double, pointwise::mass<1>, program_sizes{.p = 2, .q = 2, .own_test = true, .elements = 2}>();
}
