// SPDX-License-Identifier: BSD-3-Clause
// Computes Gauss-Jacobi rules by Newton's method, root by root.
#include "gauss_jacobi.hpp"

#include <cmath>
#include <numbers>

namespace tessera::fem::detail {

quadrature_rule gauss_jacobi(int n, int exponent) {
  quadrature_rule rule = gauss(n);
  if (exponent == 0) return rule;
  using number = long double;
  const number e = exponent, degree = n;
  std::vector<number> roots;
  for (int k = 0; k < n; ++k) {
    // Descending, each from between the last root and where Chebyshev's is; those found are divided out.
    number t = std::cos(std::numbers::pi_v<number> * (2 * k + 1) / (2 * n));
    if (k > 0) t = (t + roots.back()) / 2;
    number slope = 0;
    const auto evaluate = [&] {
      const number value = scaled_jacobi<number>(n, exponent, t, 1),
                   before = scaled_jacobi<number>(n - 1, exponent, t, 1);
      slope = (degree * (e - (2 * degree + e) * t) * value + 2 * degree * (degree + e) * before) /
              ((2 * degree + e) * (1 - t * t));
      return value;
    };
    constexpr int most_steps = 100;
    for (int step = 0; step < most_steps; ++step) {
      const number value = evaluate();
      number found = 0;
      for (const number root : roots) found += 1 / (t - root);
      const number change = value / (slope - value * found);
      t -= change;
      if (std::abs(change) < 1e-18L) break;
    }
    evaluate();
    roots.push_back(t);
    const std::size_t place = static_cast<std::size_t>(n - 1 - k);
    rule.points[place] = static_cast<double>((1 + t) / 2);
    rule.weights[place] = static_cast<double>(1 / ((1 - t * t) * slope * slope));
  }
  return rule;
}

}  // namespace tessera::fem::detail
