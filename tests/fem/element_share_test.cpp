// SPDX-License-Identifier: BSD-3-Clause
// The phases of the GPU's element kernels, run on the host: every operator, dimension, kind of table and layout.
#include "element_share_case.hpp"
#include "testing/catch.hpp"

#include <tessera/element/pointwise.hpp>

#include <numeric>

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T, class Stored, class Function, share_sizes s>
void check() {
  using sample = share_case<T, Stored, Function, s>;
  std::vector<index_t> some(5);
  std::iota(some.begin(), some.end(), index_t(1));
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << (s.nodal ? " nodal" : "") << " last " << s.last << ", "
                     << s.elements << " elements a block");
  CHECK(sample::worst(7, some, false, false) <= 1);
  CHECK(sample::worst(7, {6, 0, 3}, true, true) <= 1);
}

template <class T, template <int> class Function>
void check_dimensions() {
  check<T, T, Function<1>, share_sizes{.p = 2, .q = 4, .last = 0, .elements = 3}>();
  check<T, T, Function<2>, share_sizes{.p = 1, .q = 3, .last = 1, .elements = 2, .prefetch = 2}>();
  check<T, T, Function<2>, share_sizes{.p = 3, .q = 4, .last = 0, .elements = 3, .prefetch = 4}>();
  check<T, T, Function<3>, share_sizes{.p = 1, .q = 2, .last = 2, .elements = 4, .prefetch = 1}>();
  check<T, T, Function<3>, share_sizes{.p = 2, .q = 4, .last = 1, .elements = 2}>();
  check<T, T, Function<3>, share_sizes{.p = 3, .q = 5, .last = 2, .elements = 1, .prefetch = 5}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element share: mass and diffusion", "[fem][element]", float, double) {
  check_dimensions<TestType, pointwise::mass>();
  check_dimensions<TestType, pointwise::diffusion>();
}

TEST_CASE("gpu element share: other operators", "[fem][element]") {
  check_dimensions<double, pointwise::helmholtz>();
  check_dimensions<double, pointwise::convection>();
  check_dimensions<double, pointwise::elasticity>();
}

TEST_CASE("gpu element share: high orders", "[fem][element]") {
  check<double, double, pointwise::mass<3>, share_sizes{.p = 4, .q = 6, .last = 2, .elements = 3, .prefetch = 6}>();
  check<double, double, pointwise::diffusion<3>, share_sizes{.p = 4, .q = 5, .last = 1, .elements = 2}>();
  check<double, double, pointwise::diffusion<2>, share_sizes{.p = 7, .q = 8, .last = 0, .elements = 2}>();
  check<double, double, pointwise::mass<2>, share_sizes{.p = 8, .q = 10, .last = 1, .elements = 3}>();
  check<double, double, pointwise::mass<3>, share_sizes{.p = 3, .q = 3, .last = 2, .elements = 2}>();
}

namespace {

template <template <int> class Function>
void check_direct() {
  check<double, double, Function<2>,
        share_sizes{.p = 2, .q = 4, .last = 1, .elements = 3, .direct = true, .staged = true}>();
  check<double, double, Function<3>,
        share_sizes{.p = 1, .q = 3, .mirrored = false, .last = 2, .elements = 2, .prefetch = 2, .direct = true}>();
  check<double, double, Function<3>,
        share_sizes{.p = 3, .q = 4, .last = 1, .elements = 2, .direct = true, .staged = true}>();
  check<double, float, Function<3>,
        share_sizes{.p = 2, .q = 4, .own_test = true, .last = 2, .several = true, .unit = false, .direct = true}>();
}

}  // namespace

namespace {

template <class Stored, class Function, share_sizes s>
void check_by_warp() {
  constexpr share_sizes whole = [] {
    share_sizes w = s;
    w.by_warp = true;
    w.last = 2;
    w.direct = Function::trial.gradient || Function::test.gradient;
    return w;
  }();
  check<double, Stored, Function, whole>();
}

}  // namespace

TEST_CASE("gpu element share: a warp holds whole elements, four of few points", "[fem][element]") {
  check_by_warp<double, pointwise::mass<3>, share_sizes{.p = 1, .q = 2, .mirrored = false, .elements = 4}>();
  check_by_warp<double, pointwise::mass<3>, share_sizes{.p = 2, .q = 4, .elements = 8, .prefetch = 4}>();
  check_by_warp<double, pointwise::mass<3>, share_sizes{.p = 2, .q = 4, .elements = 4, .staged = true}>();
  check_by_warp<double, pointwise::diffusion<3>, share_sizes{.p = 2, .q = 3, .elements = 4}>();
  check_by_warp<double, pointwise::diffusion<3>, share_sizes{.p = 2, .q = 4, .elements = 8, .staged = true}>();
  check_by_warp<float, pointwise::helmholtz<3>,
                share_sizes{.p = 2, .q = 4, .own_test = true, .elements = 4, .several = true, .unit = false}>();
}

TEST_CASE("gpu element share: a warp holds one element", "[fem][element]") {
  check_by_warp<double, pointwise::mass<3>, share_sizes{.p = 5, .q = 7, .elements = 2, .prefetch = 3}>();
  check_by_warp<double, pointwise::mass<3>, share_sizes{.p = 6, .q = 8, .elements = 1}>();
  check_by_warp<double, pointwise::mass<3>, share_sizes{.p = 7, .q = 6, .mirrored = false, .elements = 3}>();
  check_by_warp<double, pointwise::diffusion<3>, share_sizes{.p = 4, .q = 6, .elements = 2, .staged = true}>();
  check_by_warp<double, pointwise::diffusion<3>, share_sizes{.p = 6, .q = 7, .mirrored = false, .elements = 1}>();
  check_by_warp<double, pointwise::helmholtz<3>, share_sizes{.p = 3, .q = 5, .elements = 2, .several = true}>();
  check_by_warp<double, pointwise::convection<3>, share_sizes{.p = 5, .q = 6, .own_test = true, .elements = 1}>();
}

TEST_CASE("gpu element share: derivatives taken directly, D through shared memory", "[fem][element]") {
  check_direct<pointwise::diffusion>();
  check_direct<pointwise::helmholtz>();
  check_direct<pointwise::convection>();
  check<float, float, pointwise::diffusion<3>,
        share_sizes{.p = 4, .q = 6, .last = 2, .elements = 2, .direct = true, .staged = true}>();
  check<double, double, pointwise::mass<3>, share_sizes{.p = 2, .q = 4, .last = 2, .elements = 3, .staged = true}>();
  check<double, double, pointwise::elasticity<3>,
        share_sizes{.p = 1, .q = 2, .last = 2, .elements = 3, .staged = true}>();
  check<double, double, pointwise::helmholtz<2>,
        share_sizes{.p = 2, .q = 3, .nodal = true, .last = 1, .elements = 2, .staged = true}>();
}

TEST_CASE("gpu element share: nodes that are the points, and tables that are not taken in halves", "[fem][element]") {
  check<double, double, pointwise::mass<3>,
        share_sizes{.p = 2, .q = 3, .nodal = true, .last = 2, .elements = 2, .prefetch = 3}>();
  check<double, double, pointwise::helmholtz<3>,
        share_sizes{.p = 3, .q = 4, .nodal = true, .last = 1, .elements = 2}>();
  check<double, double, pointwise::elasticity<2>,
        share_sizes{.p = 2, .q = 3, .nodal = true, .last = 0, .elements = 3}>();
  check<double, double, pointwise::helmholtz<1>, share_sizes{.p = 2, .q = 3, .nodal = true, .elements = 3}>();
  check<double, double, pointwise::mass<3>, share_sizes{.p = 2, .q = 4, .mirrored = false, .last = 2, .elements = 2}>();
  check<double, double, pointwise::helmholtz<2>,
        share_sizes{.p = 2, .q = 3, .mirrored = false, .last = 1, .elements = 2}>();
}

namespace {

template <template <int> class Function>
void check_fewer_points() {
  check<double, double, Function<1>, share_sizes{.p = 3, .q = 3, .elements = 3, .direct = true}>();
  check<double, double, Function<1>,
        share_sizes{.p = 2, .q = 2, .elements = 4, .prefetch = 2, .several = true, .unit = false, .direct = true}>();
  check<double, double, Function<2>, share_sizes{.p = 1, .q = 1, .last = 1, .elements = 4, .direct = true}>();
  check<double, double, Function<2>,
        share_sizes{.p = 4, .q = 4, .last = 0, .elements = 2, .direct = true, .staged = true}>();
  check<double, double, Function<3>,
        share_sizes{.p = 2, .q = 2, .mirrored = false, .last = 2, .elements = 3, .prefetch = 2, .direct = true}>();
  check<double, float, Function<3>,
        share_sizes{.p = 3, .q = 3, .last = 1, .elements = 2, .several = true, .unit = false, .direct = true}>();
  check<float, float, Function<3>, share_sizes{.p = 3, .q = 2, .own_test = true, .last = 2, .direct = true}>();
}

}  // namespace

TEST_CASE("gpu element share: fewer points than functions", "[fem][element]") {
  check_fewer_points<pointwise::diffusion>();
  check_fewer_points<pointwise::helmholtz>();
  check_fewer_points<pointwise::convection>();
  check<double, double, pointwise::mass<1>, share_sizes{.p = 3, .q = 3, .elements = 3}>();
  check<double, double, pointwise::mass<2>, share_sizes{.p = 2, .q = 2, .last = 1, .elements = 3}>();
  check<double, double, pointwise::mass<3>, share_sizes{.p = 3, .q = 3, .last = 1, .elements = 2}>();
  check_by_warp<double, pointwise::diffusion<3>, share_sizes{.p = 3, .q = 3, .elements = 4}>();
  check_by_warp<double, pointwise::helmholtz<3>, share_sizes{.p = 6, .q = 5, .elements = 2}>();
}

TEST_CASE("gpu element share: x and y of different functions", "[fem][element]") {
  check<double, double, pointwise::helmholtz<3>,
        share_sizes{.p = 3, .q = 4, .own_test = true, .last = 2, .elements = 2}>();
  check<double, double, pointwise::convection<2>,
        share_sizes{.p = 2, .q = 4, .own_test = true, .mirrored = false, .last = 0, .elements = 2}>();
  check<double, double, pointwise::mass<1>, share_sizes{.p = 2, .q = 2, .own_test = true, .elements = 2}>();
}

namespace {

// x, y and D in pieces that begin anywhere: ranges alone.
template <class T, class Stored, class Function, share_sizes s>
void check_pieces() {
  using sample = share_case<T, Stored, Function, s>;
  INFO(Function::dim << "-D p " << s.p << " q " << s.q << " packed " << s.packed << ", " << s.elements << " elements, "
                     << s.batches << " batches, " << s.together << " together");
  for (const index_t first : {0, 1, 3}) {
    std::vector<index_t> some(std::size_t(9 - first));
    std::iota(some.begin(), some.end(), first);
    CHECK(sample::worst(10, some, false, false) <= 1);
    CHECK(sample::worst(10, some, false, true) <= 1);
  }
  CHECK(sample::worst(3, {2}, false, false) <= 1);
}
template <class T, template <int> class Function, int packed>
void check_pieces_of() {
  check_pieces<T, T, Function<3>,
               share_sizes{.p = 2, .q = 3, .last = 1, .elements = 3, .prefetch = 3, .packed = packed}>();
  check_pieces<T, T, Function<2>,
               share_sizes{.p = 2, .q = 3, .last = 0, .elements = 2, .staged = true, .packed = packed}>();
  check_pieces<T, T, Function<3>,
               share_sizes{.p = 1, .q = 3, .last = 2, .elements = 2, .staged = true, .packed = packed, .batches = 3}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element share: elements in pieces, from anywhere", "[fem][element]", float, double) {
  check_pieces_of<TestType, pointwise::mass, 1>();
  check_pieces_of<TestType, pointwise::mass, 2>();
  check_pieces_of<TestType, pointwise::diffusion, 2>();
}

TEST_CASE("gpu element share: elements in pieces, other operators and ways", "[fem][element]") {
  check_pieces_of<double, pointwise::elasticity, 1>();
  check_pieces_of<double, pointwise::convection, 2>();
  check_pieces<double, float, pointwise::diffusion<3>,
               share_sizes{.p = 2, .q = 3, .last = 2, .elements = 3, .direct = true, .staged = true, .packed = 2}>();
  check_pieces<double, double, pointwise::helmholtz<3>,
               share_sizes{
                   .p = 2, .q = 3, .own_test = true, .mirrored = false, .last = 2, .elements = 2, .packed = 1}>();
}

TEST_CASE("gpu element share: all applications to an element at the same time", "[fem][element]") {
  check<double, double, pointwise::mass<3>,
        share_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .prefetch = 4, .together = 3}>();
  check<double, double, pointwise::diffusion<2>,
        share_sizes{
            .p = 2, .q = 4, .last = 1, .elements = 2, .unit = false, .direct = true, .staged = true, .together = 2}>();
  check<float, float, pointwise::elasticity<2>, share_sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .together = 2}>();
  check_pieces<
      double, double, pointwise::mass<3>,
      share_sizes{
          .p = 2, .q = 3, .last = 2, .elements = 2, .staged = true, .packed = 2, .together = 3, .batches = 2}>();
  check_pieces<
      float, float, pointwise::diffusion<3>,
      share_sizes{
          .p = 1, .q = 3, .last = 2, .elements = 3, .direct = true, .staged = true, .packed = 1, .together = 2}>();
}

TEST_CASE("gpu element share: threads hold planes", "[fem][element]") {
  using mass = pointwise::mass<3>;
  check<double, double, mass,
        share_sizes{.p = 1, .q = 3, .mirrored = false, .last = 0, .elements = 7, .prefetch = 3, .by_plane = true}>();
  check<float, float, mass, share_sizes{.p = 3, .q = 4, .last = 2, .elements = 3, .prefetch = 1, .by_plane = true}>();
  check<double, float, mass,
        share_sizes{.p = 2,
                    .q = 4,
                    .own_test = true,
                    .last = 1,
                    .elements = 2,
                    .several = true,
                    .unit = false,
                    .by_plane = true}>();
  check<double, double, mass, share_sizes{.p = 3, .q = 3, .last = 1, .elements = 2, .by_plane = true}>();
  check_pieces<float, float, mass,
               share_sizes{.p = 2, .q = 3, .last = 2, .elements = 3, .prefetch = 2, .by_plane = true, .packed = 1}>();
  check_pieces<double, double, mass,
               share_sizes{.p = 1,
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
  check<double, double, F,
        share_sizes{.p = 2, .q = 4, .last = 2, .elements = 3, .prefetch = 2, .direct = true, .by_plane = true}>();
  check<double, float, F,
        share_sizes{
            .p = 3, .q = 3, .own_test = true, .mirrored = false, .last = 1, .direct = true, .by_plane = true}>();
  check_pieces<float, float, F,
               share_sizes{.p = 1,
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

TEST_CASE("gpu element share: threads hold planes, with derivatives", "[fem][element]") {
  check_planes_with_slopes<pointwise::diffusion>();
  check_planes_with_slopes<pointwise::helmholtz>();
  check_planes_with_slopes<pointwise::convection>();
}

TEST_CASE("gpu element share: several right hand sides and components, any layout, D in float", "[fem][element]") {
  check<double, float, pointwise::mass<3>,
        share_sizes{.p = 2, .q = 4, .last = 2, .elements = 2, .prefetch = 4, .several = true}>();
  check<double, double, pointwise::helmholtz<3>,
        share_sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .prefetch = 1, .several = true, .unit = false}>();
  check<double, float, pointwise::elasticity<2>,
        share_sizes{.p = 2, .q = 3, .last = 1, .elements = 2, .several = true, .unit = false}>();
  check<float, float, pointwise::diffusion<2>,
        share_sizes{.p = 2, .q = 4, .last = 1, .elements = 3, .several = true}>();
}
