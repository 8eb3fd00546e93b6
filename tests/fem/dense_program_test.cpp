// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU's kernel of dense tables, run on the host: every operator, dimension, size, tuning and layout.
#include "dense_program_case.hpp"
#include "own_functions.hpp"

#include <tessera/gpu/detail/element/dense_tuning.hpp>

#include <numeric>
#include <string>

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T, class Stored, class Function, dense_program_sizes s>
void check() {
  using sample = dense_program_case<T, Stored, Function, s>;
  std::vector<index_t> some(11);
  std::iota(some.begin(), some.end(), index_t(1));
  INFO(Function::dim << "-D d " << s.d << " q " << s.q << " t " << s.t << ", " << s.by.lanes << " lanes, "
                     << s.by.groups << " groups of " << s.by.elements << " elements, " << s.by.points << " points");
  CHECK(sample::worst(13, some, false, false) <= 1);
  CHECK(sample::worst(7, {6, 0, 3}, true, true) <= 1);
}

template <class T, template <int> class Function>
void check_dimensions() {
  check<T, T, Function<1>, dense_program_sizes{4, 5, 0, {.lanes = 4, .groups = 8, .elements = 2, .points = 2}}>();
  check<T, T, Function<2>, dense_program_sizes{6, 9, 0, {.lanes = 4, .groups = 3, .elements = 3, .points = 1}}>();
  check<T, T, Function<2>, dense_program_sizes{3, 4, 0, {.lanes = 4, .groups = 2, .elements = 8, .ahead = true}}>();
  check<T, T, Function<3>, dense_program_sizes{4, 8, 0, {.lanes = 8, .groups = 5, .elements = 1, .points = 1}}>();
  check<T, T, Function<3>,
        dense_program_sizes{10, 27, 0, {.lanes = 12, .groups = 4, .elements = 2, .points = 3, .ahead = true}}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu dense program: mass and diffusion", "[fem][element][dense]", float, double) {
  check_dimensions<TestType, pointwise::mass>();
  check_dimensions<TestType, pointwise::diffusion>();
}

TEST_CASE("gpu dense program: other operators", "[fem][element][dense]") {
  check_dimensions<double, pointwise::helmholtz>();
  check_dimensions<double, pointwise::convection>();
  check_dimensions<double, pointwise::elasticity>();
  check_dimensions<double, pointwise::advection_diffusion>();
}

TEST_CASE("gpu dense program: one function, one point, and many of them", "[fem][element][dense]") {
  check<double, double, pointwise::helmholtz<2>,
        dense_program_sizes{1, 1, 0, {.lanes = 4, .groups = 2, .elements = 2}}>();
  check<float, float, pointwise::mass<3>, dense_program_sizes{1, 7, 5, {.lanes = 4, .groups = 8, .elements = 1}}>();
  check<double, double, pointwise::diffusion<3>,
        dense_program_sizes{56, 101, 0, {.lanes = 20, .groups = 3, .elements = 2, .points = 2}}>();
  check<double, double, pointwise::mass<2>,
        dense_program_sizes{45, 81, 0, {.lanes = 64, .groups = 1, .elements = 3, .points = 1}}>();
}

TEST_CASE("gpu dense program: x and y of different functions, several right hand sides, any layout, D in float",
          "[fem][element][dense]") {
  constexpr dense_tuning by{.lanes = 8, .groups = 4, .elements = 2, .points = 2};
  check<double, double, pointwise::helmholtz<3>, dense_program_sizes{10, 11, 4, by}>();
  check<double, double, pointwise::convection<2>, dense_program_sizes{5, 13, 19, by}>();
  check<double, float, pointwise::mass<3>, dense_program_sizes{7, 9, 0, by, true}>();
  check<double, double, pointwise::helmholtz<3>, dense_program_sizes{7, 9, 0, by, true, false}>();
  check<double, float, pointwise::elasticity<2>, dense_program_sizes{6, 5, 3, by, true, false}>();
  check<float, float, pointwise::diffusion<2>, dense_program_sizes{10, 16, 0, by, true}>();
}

namespace {

constexpr dense_tuning warps(int groups, int points, int elements = 16, bool staged = true) {
  return {.lanes = 32, .groups = groups, .elements = elements, .points = points, .ahead = staged, .by_warp = true};
}

}  // namespace

TEST_CASE("gpu dense program: products of a warp", "[fem][element][dense]") {
  check<double, double, pointwise::mass<2>, dense_program_sizes{3, 4, 0, warps(1, 1)}>();
  check<double, double, pointwise::mass<3>, dense_program_sizes{10, 27, 0, warps(2, 4)}>();
  check<double, double, pointwise::diffusion<3>, dense_program_sizes{20, 21, 0, warps(1, 1)}>();
  check<double, double, pointwise::diffusion<2>, dense_program_sizes{21, 36, 0, warps(1, 2)}>();
  check<double, double, pointwise::mass<3>, dense_program_sizes{10, 27, 0, warps(1, 2, 32)}>();
  check<double, double, pointwise::diffusion<2>, dense_program_sizes{21, 37, 0, warps(1, 3)}>();
  check<double, double, pointwise::diffusion<3>, dense_program_sizes{20, 27, 0, warps(1, 2, 16, false)}>();
  check<double, float, pointwise::helmholtz<2>, dense_program_sizes{6, 9, 7, warps(1, 1, 32, false), true, false}>();
  check<double, double, pointwise::mass<2>, dense_program_sizes{21, 36, 0, warps(1, 1, 32)}>();
  check<double, float, pointwise::helmholtz<2>, dense_program_sizes{6, 9, 7, warps(2, 1, 32), true, false}>();
  check<double, double, pointwise::convection<2>, dense_program_sizes{5, 13, 19, warps(1, 2)}>();
  check<double, float, pointwise::helmholtz<3>, dense_program_sizes{10, 11, 4, warps(1, 1), true, false}>();
  check<double, double, pointwise::elasticity<2>, dense_program_sizes{6, 9, 0, warps(1, 1)}>();
  check<double, double, pointwise::elasticity<3>, dense_program_sizes{4, 8, 0, warps(1, 1), true}>();
  check<double, double, force, dense_program_sizes{4, 8, 10, warps(1, 1)}>();
  check<double, double, work, dense_program_sizes{10, 8, 4, warps(1, 1)}>();
}

TEST_CASE("gpu dense program: functions of a user's own, of other components than they give", "[fem][element][dense]") {
  constexpr dense_tuning by{.lanes = 4, .groups = 5, .elements = 2, .points = 1};
  check<double, double, force, dense_program_sizes{4, 8, 10, by}>();
  check<double, double, work, dense_program_sizes{10, 8, 4, by}>();
}

TEST_CASE("gpu dense kernels: the rules' tunings fit, on every architecture", "[fem][element][dense]") {
  for (const int architecture : {75, 80, 86, 90})
    for (const int bytes : {4, 8})
      for (const int slots : {1, 3, 4})
        for (const int components : {1, 3})
          for (const int n : {1, 2, 3, 10, 28, 56, 120, 343}) {
            const dense_sizes s{n, n + n / 2, n, components, components, slots, slots, 3 * slots, bytes};
            const gpu_limits limits = gpu_limits_of(architecture);
            const dense_tuning t = ruled_dense_tuning(s, limits);
            INFO("sm_" << architecture << ", " << n << " functions, " << components << " components of " << slots
                       << " slots, " << bytes << " bytes");
            CHECK(std::string(why_unfit(s, t, limits)).empty());
            CHECK(dense_layout{s, t}.threads() <= 1024);
          }
}

TEST_CASE("gpu dense kernels: what cannot run is said", "[fem][element][dense]") {
  const dense_sizes s{.trial = 10, .points = 27, .test = 10};
  const dense_tuning good{.lanes = 8, .groups = 16, .elements = 4, .points = 2, .blocks = 2};
  const auto why = [&](auto change) {
    dense_tuning t = good;
    change(t);
    return std::string(why_unfit(s, t));
  };
  CHECK(why([](dense_tuning&) {}).empty());
  CHECK(why([](dense_tuning& t) { t.lanes = 6; }) == "lanes are no multiple of 4");
  CHECK(why([](dense_tuning& t) { t.elements = 0; }) == "a block has no work");
  CHECK(why([](dense_tuning& t) { t.groups = 2000; }) == "threads are more than a block may have");
  CHECK(why([](dense_tuning& t) { t.elements = 1000; }) == "an element does not fit shared memory");
  CHECK(why([](dense_tuning& t) { t.blocks = 33; }) == "too many blocks are asked for");
  CHECK(why([](dense_tuning& t) { t = warps(1, 1); }).empty());
  CHECK(why([](dense_tuning& t) { t = warps(1, 1), t.elements = 8; }) == "a warp has 16 or 32 elements, in double");
}
