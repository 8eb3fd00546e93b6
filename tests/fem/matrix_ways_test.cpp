// SPDX-License-Identifier: BSD-3-Clause
// The GPU's ways to make element matrices, run on the host: operators, dimensions, sizes, tunings, storage.
#include "matrix_ways.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using sizes = way_sizes;
using pointwise::advection_diffusion, pointwise::convection, pointwise::diffusion, pointwise::elasticity,
    pointwise::helmholtz, pointwise::mass;
constexpr int alone = matrix_way::threads;

template <class Way>
void check() {
  constexpr sizes s = Way::sizes;
  INFO(Way::function::dim << "-D p " << s.p << " q " << s.q << ", " << s.elements << " elements, " << s.slices
                          << " slices, " << s.strips << " strips of " << s.components << " components, way "
                          << int(s.way) << (s.sliced ? ", sliced" : "") << (s.packed ? ", packed" : ""));
  if (Way::whole) CHECK(worst_of_way<Way>(0, Way::batch, 0) <= 1);
  CHECK(worst_of_way<Way>(1, Way::batch - 2, 5) <= 1);
}

template <class T, template <int> class Function, bool packed>
void check_dimensions() {
  check<by_columns<T, T, Function<1>, sizes{.p = 3, .q = 5, .packed = packed, .elements = 3}>>();
  check<by_columns<T, T, Function<2>, sizes{.p = 1, .q = 2, .packed = packed, .elements = 2, .strips = 2}>>();
  check<by_columns<T, T, Function<3>,
                   sizes{.p = 2, .q = 3, .packed = packed, .slices = 2, .strips = 3, .threads = 96}>>();
}

template <template <int> class Function, bool packed>
void check_sizes() {
  check<by_columns<double, double, Function<2>, sizes{.p = 2, .q = 4, .packed = packed, .strips = 2, .threads = 64}>>();
  check<by_columns<double, double, Function<3>,
                   sizes{.p = 1, .q = 3, .packed = packed, .elements = 2, .slices = 2, .strips = 2}>>();
  check<by_columns<double, double, Function<3>, sizes{.p = 2, .q = 4, .packed = packed, .strips = 2, .threads = 64}>>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element matrices by columns: mass and diffusion", "[fem][element]", float, double) {
  check_dimensions<TestType, mass, false>();
  check_dimensions<TestType, diffusion, false>();
}

TEST_CASE("gpu element matrices by columns: more sizes", "[fem][element]") {
  check_sizes<mass, false>();
  check_sizes<mass, true>();
  check_sizes<diffusion, false>();
}

TEST_CASE("gpu element matrices by columns: the lower triangle", "[fem][element]") {
  check_dimensions<double, mass, true>();
  check_dimensions<double, helmholtz, true>();
}

TEST_CASE("gpu element matrices by columns: other operators", "[fem][element]") {
  check_dimensions<double, helmholtz, false>();
  check_dimensions<double, convection, false>();
  check_dimensions<double, advection_diffusion, false>();
}

TEST_CASE("gpu element matrices by columns: high orders, tables that are not taken in halves", "[fem][element]") {
  check<by_columns<double, double, mass<3>, sizes{.p = 3, .q = 5, .slices = 4, .strips = 4, .threads = 256}>>();
  check<by_columns<double, double, mass<3>, sizes{.p = 4, .q = 5, .strips = 5, .threads = 128, .pads = 0}>>();
  check<by_columns<double, double, mass<2>, sizes{.p = 7, .q = 9, .strips = 3, .threads = 64}>>();
  check<by_columns<double, double, diffusion<2>, sizes{.p = 6, .q = 8, .strips = 7, .threads = 64, .pads = 5}>>();
  check<by_columns<float, float, diffusion<3>, sizes{.p = 3, .q = 4, .mirrored = false, .strips = 3}>>();
  check<by_columns<double, double, mass<3>, sizes{.p = 2, .q = 2, .slices = 3, .strips = 3}>>();
}

TEST_CASE("gpu element matrices by columns: x and y of different functions, D in float", "[fem][element]") {
  check<by_columns<double, float, convection<3>, sizes{.p = 2, .q = 3, .own_test = true, .strips = 2}>>();
  check<by_columns<double, double, helmholtz<2>, sizes{.p = 3, .q = 4, .own_test = true, .strips = 4}>>();
  check<by_columns<
      double, double, mass<3>,
      sizes{.p = 2, .q = 3, .own_test = true, .mirrored = false, .elements = 2, .slices = 3, .strips = 3}>>();
  check<by_columns<double, float, mass<1>, sizes{.p = 2, .q = 4, .own_test = true, .elements = 2}>>();
}

TEST_CASE("gpu element matrices by columns: fewer points than functions", "[fem][element]") {
  check<by_columns<double, double, diffusion<1>, sizes{.p = 3, .q = 3, .elements = 2}>>();
  check<by_columns<double, double, helmholtz<2>, sizes{.p = 2, .q = 2, .packed = true, .strips = 2}>>();
  check<by_columns<double, double, diffusion<3>, sizes{.p = 2, .q = 2, .slices = 2, .strips = 3, .threads = 96}>>();
  check<by_columns<double, double, convection<2>, sizes{.p = 3, .q = 2, .own_test = true, .strips = 2}>>();
}

TEST_CASE("gpu element matrices by columns: components, coupled or not", "[fem][element]") {
  check<by_columns<double, double, elasticity<2>, sizes{.p = 2, .q = 3, .components = 2, .strips = 2}>>();
  check<by_columns<double, double, elasticity<3>, sizes{.p = 1, .q = 2, .components = 3, .slices = 2, .strips = 2}>>();
  check<
      by_columns<double, double, elasticity<2>, sizes{.p = 1, .q = 3, .components = 2, .packed = true, .strips = 1}>>();
  check<by_columns<double, double, elasticity<1>, sizes{.p = 2, .q = 3}>>();
  check<by_columns<double, double, mass<3>, sizes{.p = 2, .q = 3, .components = 2, .strips = 2}>>();
  check<
      by_columns<double, double, diffusion<2>, sizes{.p = 2, .q = 4, .components = 3, .packed = true, .strips = 3}>>();
  check<by_columns<double, double, elasticity<2>, sizes{.p = 1, .q = 2, .components = 4, .strips = 2}>>();
}

namespace {

template <class T, bool packed>
void check_dimensions() {
  check<by_pairs<T, T, 1, sizes{.p = 3, .q = 5, .packed = packed, .elements = 3}>>();
  check<by_pairs<T, T, 1, sizes{.p = 4, .q = 5, .packed = packed, .sliced = true}>>();
  check<by_pairs<T, T, 2, sizes{.p = 1, .q = 2, .packed = packed, .elements = 2}>>();
  check<by_pairs<T, T, 2, sizes{.p = 2, .q = 4, .packed = packed, .elements = 3, .threads = 64}>>();
  check<by_pairs<T, T, 2, sizes{.p = 4, .q = 6, .packed = packed, .sliced = true, .threads = 64}>>();
  check<by_pairs<T, T, 3, sizes{.p = 1, .q = 3, .packed = packed, .elements = 2}>>();
  check<by_pairs<T, T, 3, sizes{.p = 2, .q = 4, .packed = packed, .elements = 1, .threads = 96}>>();
  check<by_pairs<T, T, 3, sizes{.p = 2, .q = 3, .packed = packed, .sliced = true, .threads = 96}>>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu element matrices by pairs: full matrices and lower triangles", "[fem][element]", float,
                   double) {
  check_dimensions<TestType, false>();
  check_dimensions<TestType, true>();
}

TEST_CASE("gpu element matrices by pairs: high orders, fewer points than functions, D in float", "[fem][element]") {
  check<by_pairs<double, double, 3, sizes{.p = 3, .q = 5, .packed = true, .threads = 128}>>();
  check<by_pairs<double, double, 3, sizes{.p = 4, .q = 5, .packed = true, .sliced = true, .threads = 128}>>();
  check<by_pairs<double, double, 2, sizes{.p = 8, .q = 9, .packed = true, .threads = 64}>>();
  check<by_pairs<double, float, 3, sizes{.p = 2, .q = 2, .elements = 2, .threads = 64}>>();
  check<by_pairs<float, float, 2, sizes{.p = 3, .q = 3, .packed = true, .elements = 5}>>();
}

TEST_CASE("gpu element matrices by pairs: functions that do not mirror each other", "[fem][element]") {
  check<by_pairs<double, double, 3, sizes{.p = 2, .q = 4, .mirrored = false, .threads = 64}>>();
  check<by_pairs<double, double, 2, sizes{.p = 3, .q = 5, .mirrored = false, .packed = true, .sliced = true}>>();
}

TEST_CASE("gpu element matrices by halves: whole matrices", "[fem][element]") {
  check<by_halves<double, diffusion<3>, sizes{.p = 3, .q = 4, .threads = 160}>>();
  check<by_halves<double, diffusion<3>, sizes{.p = 3, .q = 5, .packed = true, .along = true, .threads = 160}>>();
  check<by_halves<float, helmholtz<3>, sizes{.p = 2, .q = 4, .along = true}>>();
  check<by_halves<double, helmholtz<3>, sizes{.p = 1, .q = 3, .packed = true}>>();
  check<by_halves<double, diffusion<3>, sizes{.p = 2, .q = 2}>>();
}

TEST_CASE("gpu element matrices by halves: sums replaced in place", "[fem][element]") {
  check<by_halves<double, diffusion<3>, sizes{.p = 4, .q = 5, .packed = true, .waves = 1, .threads = 384}>>();
  check<by_halves<double, diffusion<3>, sizes{.p = 4, .q = 6, .waves = 1, .along = true, .threads = 384}>>();
  check<by_halves<double, diffusion<3>, sizes{.p = 3, .q = 5, .waves = 2, .along = true, .threads = 128}>>();
  check<by_halves<double, helmholtz<3>, sizes{.p = 2, .q = 4, .packed = true, .waves = 1, .threads = 256}>>();
}

TEST_CASE("gpu element matrices by halves: tiles", "[fem][element]") {
  check<by_halves<double, diffusion<3>, sizes{.p = 3, .q = 4, .tiled = 2, .threads = 64}>>();
  check<by_halves<double, helmholtz<3>, sizes{.p = 3, .q = 5, .tiled = 1, .waves = 1, .threads = 256}>>();
  check<by_halves<double, diffusion<3>, sizes{.p = 5, .q = 6, .tiled = 3, .waves = 1, .threads = 256}>>();
  check<
      by_halves<double, helmholtz<3>, sizes{.p = 5, .q = 7, .tiled = 3, .waves = 1, .along = true, .threads = 256}>>();
}

TEST_CASE("gpu element matrices by halves: slices", "[fem][element]") {
  check<by_halves<double, diffusion<3>, sizes{.p = 2, .q = 3, .sliced = true}>>();
  check<by_halves<double, helmholtz<3>, sizes{.p = 4, .q = 5, .sliced = true, .along = true}>>();
  check<by_halves<double, diffusion<3>,
                  sizes{.p = 3, .q = 5, .packed = true, .sliced = true, .waves = 1, .threads = 128}>>();
  check<by_halves<double, diffusion<3>, sizes{.p = 5, .q = 6, .sliced = true, .waves = 1, .threads = 256}>>();
  check<by_halves<double, diffusion<3>,
                  sizes{.p = 5, .q = 7, .packed = true, .sliced = true, .waves = 1, .threads = 256}>>();
}

TEST_CASE("gpu element matrices by products: D in registers", "[fem][element]") {
  check<by_products<double, diffusion<3>, sizes{.p = 2, .q = 4, .elements = 3, .sharing = 2, .threads = 64}>>();
  check<by_products<double, helmholtz<3>, sizes{.p = 2, .q = 3, .packed = true, .elements = 2}>>();
  check<by_products<float, diffusion<3>, sizes{.p = 3, .q = 4, .packed = true, .sharing = 2}>>();
}

TEST_CASE("gpu element matrices by products: a thread for each pair", "[fem][element]") {
  check<by_products<double, diffusion<2>, sizes{.p = 1, .q = 2, .packed = true, .way = alone, .elements = 3}>>();
  check<by_products<double, helmholtz<2>, sizes{.p = 5, .q = 7, .way = alone}>>();
  check<by_products<double, diffusion<2>, sizes{.p = 8, .q = 10, .packed = true, .way = alone}>>();
  check<by_products<double, diffusion<3>, sizes{.p = 1, .q = 3, .way = alone, .elements = 3, .threads = 64}>>();
  check<by_products<float, helmholtz<3>, sizes{.p = 1, .q = 2, .packed = true, .way = alone, .elements = 2}>>();
}

TEST_CASE("gpu element matrices by strips: whole matrices", "[fem][element]") {
  check<by_strips<double, diffusion<3>, sizes{.p = 1, .q = 2, .threads = 32}>>();
  check<by_strips<float, helmholtz<3>, sizes{.p = 2, .q = 4, .threads = 64}>>();
  check<by_strips<double, diffusion<3>, sizes{.p = 3, .q = 5, .staged = 1, .threads = 96}>>();
  check<by_strips<double, helmholtz<3>, sizes{.p = 4, .q = 6, .threads = 64}>>();
}

TEST_CASE("gpu element matrices by strips: lower triangles", "[fem][element]") {
  check<by_strips<double, helmholtz<3>, sizes{.p = 2, .q = 3, .packed = true, .threads = 64}>>();
  check<by_strips<float, diffusion<3>, sizes{.p = 3, .q = 4, .packed = true, .staged = 1, .threads = 64}>>();
}

TEST_CASE("gpu element matrices by parity: even and odd functions are the functions", "[fem][element]") {
  for (int p = 1; p <= 8; ++p)
    for (const int q : {p + 1, p + 2}) {
      const parity_layout layout{{p + 1, q, 3}, {}};
      const parity_functions f = layout.tables();
      const fem::basis_tables of_points = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, p), fem::gauss(q));
      const std::vector<double> all = device::constants_of_parities(layout, of_points.B, of_points.G);
      const auto at = [&](int place) { return all.at(std::size_t(place)); };
      int wrong = 0;
      const auto check = [&](double sum, double entry) { wrong += !(std::abs(sum - entry) <= 1e-13 * (1 + p * p)); };
      for (int i = 0; i < f.functions / 2; ++i)
        for (int k = 0; k < f.points / 2; ++k) {
          const std::size_t own = std::size_t(k + q * i), mirrored = std::size_t(q - 1 - k + q * i);
          check(at(f.value(false, i, k)) + at(f.value(true, i, k)), of_points.B[own]);
          check(at(f.value(false, i, k)) - at(f.value(true, i, k)), of_points.B[mirrored]);
          check(at(f.slope(false, i, k)) + at(f.slope(true, i, k)), of_points.G[own]);
          check(at(f.slope(true, i, k)) - at(f.slope(false, i, k)), of_points.G[mirrored]);
        }
      CHECK(wrong == 0);
      CHECK(f.slope(true, f.count(true) - 1, f.points_of(false) - 1) == f.entries() - 1);
    }
}

TEST_CASE("gpu element matrices by parity: even and odd numbers of functions and points", "[fem][element]") {
  check<by_parities<double, diffusion<2>, sizes{.p = 1, .q = 2}>>();
  check<by_parities<double, diffusion<2>, sizes{.p = 2, .q = 3, .packed = true}>>();
  check<by_parities<double, helmholtz<2>, sizes{.p = 3, .q = 5, .elements = 3}>>();
  check<by_parities<double, diffusion<2>, sizes{.p = 4, .q = 6, .packed = true, .elements = 2}>>();
  check<by_parities<double, helmholtz<2>, sizes{.p = 2, .q = 4, .packed = true, .elements = 2}>>();
}

TEST_CASE("gpu element matrices by parity: as it is tuned", "[fem][element]") {
  check<by_parities<double, diffusion<2>, sizes{.p = 5, .q = 7, .elements = 3, .columns = 3, .threads = 64}>>();
  check<by_parities<float, helmholtz<2>, sizes{.p = 6, .q = 8, .packed = true, .columns = 2}>>();
  check<
      by_parities<float, diffusion<2>, sizes{.p = 7, .q = 8, .elements = 2, .columns = 2, .threads = 64, .pad = 1}>>();
  check<by_parities<double, diffusion<2>, sizes{.p = 8, .q = 10, .packed = true, .elements = 2, .threads = 96}>>();
}
