// SPDX-License-Identifier: BSD-3-Clause
// The phases of the GPU's element kernels, run on the host: every operator, dimension, kind of table and layout.
#include "element_program_checks.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using sizes = program_sizes;
using pointwise::mass, pointwise::diffusion, pointwise::helmholtz, pointwise::convection, pointwise::elasticity,
    pointwise::advection_diffusion;

template <class T, template <int> class Function>
void check_dimensions() {
  check_program<T, Function<1>, sizes{.p = 2, .q = 4, .last = 0, .elements = 3}>();
  check_program<T, Function<2>, sizes{.p = 1, .q = 3, .last = 1, .elements = 2, .prefetch = 2}>();
  check_program<T, Function<3>, sizes{.p = 2, .q = 4, .last = 1, .elements = 2}>();
}

// What needs no value and gradient together, and no components, in more sizes.
template <template <int> class Function>
void check_sizes() {
  check_program<double, Function<2>, sizes{.p = 3, .q = 4, .last = 0, .elements = 3, .prefetch = 4}>();
  check_program<double, Function<3>, sizes{.p = 1, .q = 2, .last = 2, .elements = 4, .prefetch = 1}>();
  check_program<double, Function<3>, sizes{.p = 3, .q = 5, .last = 2, .elements = 1, .prefetch = 5}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element program: mass and diffusion", "[fem][element]", float, double) {
  check_dimensions<TestType, mass>();
  check_dimensions<TestType, diffusion>();
}

TEST_CASE("gpu element program: mass and diffusion, more sizes", "[fem][element]") {
  check_sizes<mass>();
  check_sizes<diffusion>();
}

TEST_CASE("gpu element program: other operators", "[fem][element]") {
  check_dimensions<double, helmholtz>();
  check_dimensions<double, convection>();
  check_dimensions<double, elasticity>();
  check_dimensions<double, advection_diffusion>();
}

TEST_CASE("gpu element program: high orders", "[fem][element]") {
  check_program<double, mass<3>, sizes{.p = 4, .q = 6, .last = 2, .elements = 3, .prefetch = 6}>();
  check_program<double, diffusion<3>, sizes{.p = 4, .q = 5, .last = 1, .elements = 2}>();
  check_program<double, diffusion<2>, sizes{.p = 7, .q = 8, .last = 0, .elements = 2}>();
  check_program<double, mass<2>, sizes{.p = 8, .q = 10, .last = 1, .elements = 3}>();
  check_program<double, mass<3>, sizes{.p = 3, .q = 3, .last = 2, .elements = 2}>();
}

namespace {

template <template <int> class Function>
void check_direct() {
  check_program<double, Function<2>, sizes{.p = 2, .q = 4, .last = 1, .elements = 3, .direct = true, .staged = true}>();
  check_program<double, Function<3>,
                sizes{.p = 1, .q = 3, .mirrored = false, .last = 2, .elements = 2, .prefetch = 2, .direct = true}>();
  check_program<double, Function<3>, sizes{.p = 3, .q = 4, .last = 1, .elements = 2, .direct = true, .staged = true}>();
  check_program<double, Function<3>,
                sizes{.p = 2, .q = 4, .own_test = true, .last = 2, .several = true, .unit = false, .direct = true},
                float>();
}

}  // namespace

namespace {

template <class Stored, class Function, sizes s>
void check_by_warp() {
  constexpr sizes whole = [] {
    sizes w = s;
    w.by_warp = true;
    w.last = 2;
    w.direct = Function::trial.gradient || Function::test.gradient;
    return w;
  }();
  check_program<double, Function, whole, Stored>();
}

}  // namespace

TEST_CASE("gpu element program: a warp holds whole elements, four of few points", "[fem][element]") {
  check_by_warp<double, mass<3>, sizes{.p = 1, .q = 2, .mirrored = false, .elements = 4}>();
  check_by_warp<double, mass<3>, sizes{.p = 2, .q = 4, .elements = 8, .prefetch = 4}>();
  check_by_warp<double, mass<3>, sizes{.p = 2, .q = 4, .elements = 4, .staged = true}>();
  check_by_warp<double, diffusion<3>, sizes{.p = 2, .q = 3, .elements = 4}>();
  check_by_warp<double, diffusion<3>, sizes{.p = 2, .q = 4, .elements = 8, .staged = true}>();
  check_by_warp<float, helmholtz<3>,
                sizes{.p = 2, .q = 4, .own_test = true, .elements = 4, .several = true, .unit = false}>();
}

TEST_CASE("gpu element program: a warp holds one element", "[fem][element]") {
  check_by_warp<double, mass<3>, sizes{.p = 5, .q = 7, .elements = 2, .prefetch = 3}>();
  check_by_warp<double, mass<3>, sizes{.p = 6, .q = 8, .elements = 1}>();
  check_by_warp<double, mass<3>, sizes{.p = 7, .q = 6, .mirrored = false, .elements = 3}>();
  check_by_warp<double, diffusion<3>, sizes{.p = 4, .q = 6, .elements = 2, .staged = true}>();
  check_by_warp<double, diffusion<3>, sizes{.p = 6, .q = 7, .mirrored = false, .elements = 1}>();
  check_by_warp<double, helmholtz<3>, sizes{.p = 3, .q = 5, .elements = 2, .several = true}>();
  check_by_warp<double, convection<3>, sizes{.p = 5, .q = 6, .own_test = true, .elements = 1}>();
}

TEST_CASE("gpu element program: derivatives taken directly, D through shared memory", "[fem][element]") {
  check_direct<diffusion>();
  check_direct<helmholtz>();
  check_direct<convection>();
  check_program<float, diffusion<3>, sizes{.p = 4, .q = 6, .last = 2, .elements = 2, .direct = true, .staged = true}>();
  check_program<double, mass<3>, sizes{.p = 2, .q = 4, .last = 2, .elements = 3, .staged = true}>();
  check_program<double, elasticity<3>, sizes{.p = 1, .q = 2, .last = 2, .elements = 3, .staged = true}>();
  check_program<double, helmholtz<2>, sizes{.p = 2, .q = 3, .nodal = true, .last = 1, .elements = 2, .staged = true}>();
}

TEST_CASE("gpu element program: nodes that are the points, and tables that are not taken in halves", "[fem][element]") {
  check_program<double, mass<3>, sizes{.p = 2, .q = 3, .nodal = true, .last = 2, .elements = 2, .prefetch = 3}>();
  check_program<double, helmholtz<3>, sizes{.p = 3, .q = 4, .nodal = true, .last = 1, .elements = 2}>();
  check_program<double, elasticity<2>, sizes{.p = 2, .q = 3, .nodal = true, .last = 0, .elements = 3}>();
  check_program<double, helmholtz<1>, sizes{.p = 2, .q = 3, .nodal = true, .elements = 3}>();
  check_program<double, mass<3>, sizes{.p = 2, .q = 4, .mirrored = false, .last = 2, .elements = 2}>();
  check_program<double, helmholtz<2>, sizes{.p = 2, .q = 3, .mirrored = false, .last = 1, .elements = 2}>();
}

namespace {

template <template <int> class Function>
void check_fewer_points() {
  check_program<double, Function<1>,
                sizes{.p = 2, .q = 2, .elements = 4, .prefetch = 2, .several = true, .unit = false, .direct = true}>();
  check_program<double, Function<2>, sizes{.p = 4, .q = 4, .last = 0, .elements = 2, .direct = true, .staged = true}>();
  check_program<double, Function<3>,
                sizes{.p = 3, .q = 3, .last = 1, .elements = 2, .several = true, .unit = false, .direct = true},
                float>();
}

}  // namespace

TEST_CASE("gpu element program: fewer points than functions", "[fem][element]") {
  check_fewer_points<diffusion>();
  check_fewer_points<helmholtz>();
  check_fewer_points<convection>();
  check_program<double, diffusion<1>, sizes{.p = 3, .q = 3, .elements = 3, .direct = true}>();
  check_program<double, diffusion<2>, sizes{.p = 1, .q = 1, .last = 1, .elements = 4, .direct = true}>();
  check_program<double, helmholtz<3>,
                sizes{.p = 2, .q = 2, .mirrored = false, .last = 2, .elements = 3, .prefetch = 2, .direct = true}>();
  check_program<float, convection<3>, sizes{.p = 3, .q = 2, .own_test = true, .last = 2, .direct = true}>();
  check_program<double, mass<1>, sizes{.p = 3, .q = 3, .elements = 3}>();
  check_program<double, mass<2>, sizes{.p = 2, .q = 2, .last = 1, .elements = 3}>();
  check_program<double, mass<3>, sizes{.p = 3, .q = 3, .last = 1, .elements = 2}>();
  check_by_warp<double, diffusion<3>, sizes{.p = 3, .q = 3, .elements = 4}>();
  check_by_warp<double, helmholtz<3>, sizes{.p = 6, .q = 5, .elements = 2}>();
}

TEST_CASE("gpu element program: x and y of different functions", "[fem][element]") {
  check_program<double, helmholtz<3>, sizes{.p = 3, .q = 4, .own_test = true, .last = 2, .elements = 2}>();
  check_program<double, convection<2>,
                sizes{.p = 2, .q = 4, .own_test = true, .mirrored = false, .last = 0, .elements = 2}>();
  check_program<double, mass<1>, sizes{.p = 2, .q = 2, .own_test = true, .elements = 2}>();
}
