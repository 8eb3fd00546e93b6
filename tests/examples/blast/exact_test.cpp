// SPDX-License-Identifier: BSD-3-Clause
// Exact solutions of blast's problems.
#include "exact.hpp"

#include <tessera/fem/quadrature.hpp>

#include <cmath>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::blast;

TEST_CASE("blast: exact solutions", "[blast]") {
  // Masses are those of the start; the constants of Sedov's wave for gamma 1.4 are known to as many digits.
  const double alpha[] = {1.07748558, 0.98407402, 0.85107185};
  const auto rule = fem::gauss(20);
  for (const int dim : {1, 2, 3}) {
    const sedov_wave wave(dim, 1.4, 1);
    CHECK(std::abs(wave.alpha() - alpha[dim - 1]) < 1e-8);
    const double end = wave.shock_radius(0.5);
    double mass = 0;
    constexpr int pieces = 400;
    for (int piece = 0; piece < pieces; ++piece)
      for (std::size_t k = 0; k < rule.points.size(); ++k) {
        const double r = end * (piece + rule.points[k]) / pieces;
        mass += end / pieces * rule.weights[k] * dim * std::pow(r, dim - 1) * wave.density(r, 0.5);
      }
    CHECK(std::abs(mass - std::pow(end, dim)) < 1e-9);
    CHECK(std::abs(wave.density(end * (1 - 1e-12), 0.5) - 6) < 1e-9);
    CHECK(wave.density(end * 1.0001, 0.5) == 1);
  }
  double mass = 0;
  constexpr int pieces = 100000;
  for (int i = 0; i < pieces; ++i) mass += sod_density_at((i + 0.5) / pieces, 0.2) / pieces;
  CHECK(std::abs(mass - 0.55) < 1e-5);
  CHECK(sod_density_at(0.01, 0.2) == 1);
  CHECK(sod_density_at(0.99, 0.2) == 0.1);
}
