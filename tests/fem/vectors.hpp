// SPDX-License-Identifier: BSD-3-Clause
// Vectors of unknowns: their products, what an operator makes of them, and the solution of a system.
#pragma once

#include "testing/at.hpp"

#include <tessera/fem/element_operator.hpp>

#include <numeric>
#include <vector>

namespace tessera::testing {

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline std::vector<double> applied(const fem::element_operator<double>& A, const std::vector<double>& x) {
  std::vector<double> y(at(A.test_size() * A.test_components() * A.elements()));
  A.apply(x.data(), y.data());
  return y;
}

/// x of A x = b by conjugate gradients, where A(x) applies a symmetric positive operator.
template <class Apply>
std::vector<double> solved(const Apply& A, const std::vector<double>& b) {
  std::vector<double> x(b.size()), r = b, direction = b;
  double size = dot(r, r);
  const double enough = 1e-24 * size;
  for (int step = 0; step < 2000 && size > enough; ++step) {
    const std::vector<double> next = A(direction);
    const double alpha = size / dot(direction, next);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * direction[i];
      r[i] -= alpha * next[i];
    }
    const double rest = dot(r, r);
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = r[i] + rest / size * direction[i];
    size = rest;
  }
  return x;
}

}  // namespace tessera::testing
