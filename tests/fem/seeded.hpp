// SPDX-License-Identifier: BSD-3-Clause
// Data of element tests: seeded numbers, powers of a direction's size, a bent mesh, the bound of so many roundings.
#pragma once

#include <tessera/fem/mesh.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "testing/at.hpp"

namespace tessera::testing {

/// Entries in [-1,1], the same ones on every platform.
template <class T>
std::vector<T> seeded(index_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(at(count));
  for (T& value : values) value = static_cast<T>(static_cast<double>(random()) / 2147483648.0 - 1.0);
  return values;
}

/// Of a space of 1 to 3 dimensions.
constexpr index_t power(index_t n, int dim) { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }

/// gamma_n = n u / (1 - n u) for n roundings in type T.
template <class T>
double gamma(double n) {
  const double u = std::numeric_limits<T>::epsilon() / 2;
  return n * u / (1 - n * u);
}

/// A smooth deformation of the unit square or cube that leaves its boundary, and so its volume, as they are.
inline fem::deformation bubble(int dim, double size) {
  return [=](const fem::point& x) {
    const double pi = std::acos(-1.0);
    double bump = size;
    for (int a = 0; a < dim; ++a) bump *= std::sin(pi * x[static_cast<std::size_t>(a)]);
    fem::point moved = x;
    for (int a = 0; a < dim; ++a) moved[static_cast<std::size_t>(a)] += bump * (a + 1) / dim;
    return moved;
  };
}

}  // namespace tessera::testing
