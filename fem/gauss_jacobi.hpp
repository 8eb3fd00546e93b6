// SPDX-License-Identifier: BSD-3-Clause
// Jacobi polynomials that are orthogonal with a weight (1 - t)^exponent, and the quadrature of their roots.
#pragma once

#include <tessera/fem/quadrature.hpp>

namespace tessera::fem::detail {

/// s^n P(t / s), P of degree n orthogonal with the weight (1 - t)^exponent on [-1,1]: a polynomial of t and s.
template <class S>
S scaled_jacobi(int n, int exponent, const S& t, const S& s) {
  const double e = exponent;
  S before(0.0), now(1.0);
  for (int k = 1; k <= n; ++k) {
    // At exponent 0 the general formula divides 0 by 0 for k = 1.
    const double scale = k == 1 ? 1 : 2.0 * k * (k + e) * (2 * k + e - 2);
    const double of_t = k == 1 ? (e + 2) / 2 : (2 * k + e - 1) * (2 * k + e) * (2 * k + e - 2) / scale;
    const double of_s = k == 1 ? e / 2 : (2 * k + e - 1) * e * e / scale;
    const double of_before = k == 1 ? 0 : 2 * (k + e - 1) * (k - 1) * (2 * k + e) / scale;
    const S next = (t * S(of_t) + s * S(of_s)) * now - s * s * before * S(of_before);
    before = now;
    now = next;
  }
  return now;
}

/// The sum of weights[k] f(points[k]) is the integral of (1 - x)^exponent f over [0,1], f of degree up to 2 n - 1.
/// Points ascend. Throws like gauss().
quadrature_rule gauss_jacobi(int n, int exponent);

}  // namespace tessera::fem::detail
