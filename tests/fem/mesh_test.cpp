// SPDX-License-Identifier: BSD-3-Clause
// Tests meshes and their geometry at points: coordinates, determinants, volumes, and the refusal of inverted elements.
#include "strategies/reference_mass.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include <tessera/error.hpp>
#include <tessera/fem/strategies/geometry.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using fem::point;
using tessera::testing::at;
using tessera::testing::bubble;
using tessera::testing::determinant_magnitudes;
using tessera::testing::determinant_roundings;

template <class Action>
std::string message(Action action) {
  return tessera::testing::failure_of(action).text;
}

}  // namespace

TEST_CASE("nodes of a mesh stand at component, node, element as the formula says", "[fem]") {
  const fem::mesh domain({2, 3, 4}, 2, [](const point& x) { return point{x[0] + 10, 2 * x[1], x[2] * x[2]}; });
  REQUIRE(domain.elements() == 24);
  REQUIRE(domain.nodes() == 27);
  const double nodes[] = {0.0, 0.5, 1.0};
  for (index_t e = 0; e < 24; ++e) {
    const auto cell = domain.cell(e);
    REQUIRE(e == cell[0] + 2 * (cell[1] + 3 * cell[2]));
    for (index_t i = 0; i < 27; ++i) {
      const double x = (cell[0] + nodes[i % 3]) / 2, y = (cell[1] + nodes[i / 3 % 3]) / 3,
                   z = (cell[2] + nodes[i / 9]) / 4;
      CHECK(domain.coordinates()[at(i + 27 * (0 + 3 * e))] == x + 10);
      CHECK(domain.coordinates()[at(i + 27 * (1 + 3 * e))] == 2 * y);
      CHECK(domain.coordinates()[at(i + 27 * (2 + 3 * e))] == z * z);
    }
  }
}

TEST_CASE("determinants of an affine map are its determinant over the number of cells", "[fem]") {
  const double A[3][3] = {{2, 0.5, -0.25}, {0.125, 1, 0.5}, {0, -0.5, 1.5}};
  for (int order = 1; order <= 4; ++order) {
    const fem::mesh in_3d({2, 1, 3}, order, [&](const point& x) {
      point y{};
      for (std::size_t c = 0; c < 3; ++c) y[c] = A[c][0] * x[0] + A[c][1] * x[1] + A[c][2] * x[2];
      return y;
    });
    const double exact =
        (A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0])) /
        6;
    const fem::quadrature_grid grid = fem::gauss_grid({2, 3, 4});
    const std::vector<double> det = fem::jacobian_determinants(in_3d, grid);
    const std::vector<double> sizes = determinant_magnitudes(in_3d, grid, 1.0);
    REQUIRE(det.size() == at(6 * 24));
    const double n = determinant_roundings(3, order + 1);
    for (std::size_t i = 0; i < det.size(); ++i)
      CHECK(std::abs(det[i] - exact) <=
            testing::gamma<double>(n) * sizes[i] / grid.weight(static_cast<index_t>(i) % grid.size()));

    const fem::mesh in_2d({3, 2}, order, [&](const point& x) {
      return point{A[0][0] * x[0] + A[0][1] * x[1], A[1][0] * x[0] + A[1][1] * x[1], 0};
    });
    const double exact_2d = (A[0][0] * A[1][1] - A[0][1] * A[1][0]) / 6;
    const fem::quadrature_grid square = fem::gauss_grid({5, 2});
    const std::vector<double> det_2d = fem::jacobian_determinants(in_2d, square);
    const std::vector<double> sizes_2d = determinant_magnitudes(in_2d, square, 1.0);
    for (std::size_t i = 0; i < det_2d.size(); ++i)
      CHECK(std::abs(det_2d[i] - exact_2d) <= testing::gamma<double>(determinant_roundings(2, order + 1)) *
                                                  sizes_2d[i] / square.weight(static_cast<index_t>(i) % square.size()));
  }
}

TEST_CASE("the volume of a deformed mesh is exact where its quadrature is", "[fem]") {
  for (const int dim : {2, 3})
    for (int order = 1; order <= (dim == 2 ? 8 : 5); ++order) {
      INFO(dim << "-D, geometry of order " << order);
      const fem::mesh domain(dim == 2 ? std::vector<int>{3, 5} : std::vector<int>{3, 2, 3}, order, bubble(dim, 0.15));
      // A determinant has degree dim order - 1 in each direction.
      const fem::quadrature_grid grid = fem::gauss_grid(std::vector<int>(at(dim), (dim * order + 1) / 2));
      double magnitude = 0;
      for (const double part : determinant_magnitudes(domain, grid, 1.0)) magnitude += part;
      const double n = determinant_roundings(dim, order + 1) + static_cast<double>(grid.size() * domain.elements());
      CHECK(std::abs(fem::volume(domain, grid) - 1) <= testing::gamma<double>(n) * magnitude);
    }
}

TEST_CASE("coordinates at points follow the geometry", "[fem]") {
  const fem::mesh domain({3, 2}, 3, [](const point& x) {
    return point{x[0] + x[1] * x[1] * x[1], x[1] - x[0] * x[0], 0};
  });
  const fem::quadrature_grid grid = fem::gauss_grid({4, 3});
  const std::vector<double> x = fem::coordinates_at_points(domain, grid);
  for (index_t e = 0; e < domain.elements(); ++e)
    for (index_t k = 0; k < grid.size(); ++k) {
      const double r = (domain.cell(e)[0] + grid.axis[0].points[at(k % 4)]) / 3;
      const double s = (domain.cell(e)[1] + grid.axis[1].points[at(k / 4)]) / 2;
      // Sums of 4 and 4 products of values below 2 whose tables add up to less than 2 in each direction.
      const double bound = testing::gamma<double>(2 * (4 + 2) + 4) * 2 * 4;
      CHECK(std::abs(x[at(k + 12 * (0 + 2 * e))] - (r + s * s * s)) <= bound);
      CHECK(std::abs(x[at(k + 12 * (1 + 2 * e))] - (s - r * r)) <= bound);
    }
}

TEST_CASE("an inverted element is refused by element and point", "[fem]") {
  // The second of three columns of cells is turned inside out.
  const auto fold = [](const point& x) { return point{x[0] < 0.4 ? x[0] : 1 - x[0], x[1], x[2]}; };
  const fem::mesh in_3d({3, 2, 2}, 1, fold);
  const std::string text = message([&] { fem::jacobian_determinants(in_3d, fem::gauss_grid({2, 2, 2})); });
  CHECK(text.find("geometry: element 2 (2,0,0) is inverted, its determinant at point 0 (0,0,0) is -") == 0);
  const std::string in_2d = message([&] {
    fem::volume(fem::mesh({1, 2}, 1,
                          [](const point& x) {
                            return point{x[0], x[1] < 0.7 ? x[1] : 0.0, 0};
                          }),
                fem::gauss_grid({2, 3}));
  });
  CHECK(in_2d.find("geometry: element 1 (0,1) is inverted, its determinant at point 0 (0,0) is -") == 0);
}

TEST_CASE("meshes and grids refuse what they cannot be", "[fem]") {
  CHECK(message([] { fem::mesh({2}, 1); }) == "mesh: cells in 1 directions, not 2 or 3");
  CHECK(message([] { fem::mesh({2, 0}, 1); }) == "mesh: 0 cells in a direction");
  CHECK(message([] { fem::mesh({2, 2}, 17); }).find("order 17") != std::string::npos);
  CHECK(message([] {
          fem::volume(fem::mesh({2, 2}, 1), fem::gauss_grid({2, 2, 2}));
        }) == "jacobian_determinants: a mesh in 2-D and a grid in 3-D");
  CHECK(message([] {
          fem::values_at_points(std::vector<double>(7), fem::mesh({2, 2}, 1), fem::gauss_grid({2, 2}));
        }) == "coefficient: 7 values for 4 elements of 4 points");
}
