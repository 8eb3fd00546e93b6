// SPDX-License-Identifier: BSD-3-Clause
// Gauss-Legendre and Gauss-Lobatto quadrature rules on the unit interval.
#pragma once

#include <vector>

namespace tessera::fem {

/// Sum of weights[k] * f(points[k]) approximates the integral of f over [0,1].
struct quadrature_rule {
  std::vector<double> points;
  std::vector<double> weights;
};

inline constexpr int max_quadrature_points = 40;

/// Gauss-Legendre: exact for polynomials up to degree 2 * points - 1.
///
/// Points ascend and are exactly symmetric: points[n-1-k] == 1 - points[k], with equal weights. Weights and the points
/// up to 1/2 are correctly rounded, the others within one unit in the last place, on every platform. Throws
/// tessera::error unless 1 <= points <= max_quadrature_points.
quadrature_rule gauss(int points);

/// Gauss-Lobatto: both end points are points; exact up to degree 2 * points - 3.
///
/// The same order, symmetry and accuracy as gauss(). Throws tessera::error unless
/// 2 <= points <= max_quadrature_points.
quadrature_rule gauss_lobatto(int points);

}  // namespace tessera::fem
