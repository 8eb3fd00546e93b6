// SPDX-License-Identifier: BSD-3-Clause
// Computes Gauss and Gauss-Lobatto rules by Newton's method in double-double arithmetic.
#include <tessera/error.hpp>
#include <tessera/fem/quadrature.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

namespace tessera::fem {
namespace {

/// The unevaluated sum hi + lo, some 32 digits. long double would be 64, 80 or 128 bits wide
/// depending on the platform (and 64 under valgrind); this rounds to the same rule everywhere, as
/// long as the compiler keeps to IEEE arithmetic (no -ffast-math).
struct double_double {
  double hi, lo;
  constexpr double_double(double high, double low = 0.0) : hi(high), lo(low) {}
};

double_double two_sum(double a, double b) {
  const double sum = a + b;
  const double b_rounded = sum - a;
  return {sum, (a - (sum - b_rounded)) + (b - b_rounded)};
}

double_double operator+(double_double a, double_double b) {
  const double_double high = two_sum(a.hi, b.hi);
  const double_double low = two_sum(a.lo, b.lo);
  const double_double sum = two_sum(high.hi, high.lo + low.hi);
  return two_sum(sum.hi, sum.lo + low.lo);
}

double_double operator-(double_double a, double_double b) { return a + double_double(-b.hi, -b.lo); }

double_double operator*(double_double a, double_double b) {
  const double product = a.hi * b.hi;
  const double rounding = std::fma(a.hi, b.hi, -product);
  return two_sum(product, rounding + (a.hi * b.lo + a.lo * b.hi));
}

double_double operator/(double_double a, double_double b) {
  const double quotient = a.hi / b.hi;
  return two_sum(quotient, (a - quotient * b).hi / b.hi);
}

/// The Legendre polynomials P_n(t) and P_{n-1}(t) on [-1,1].
struct legendre_pair {
  double_double value = 1.0;
  double_double previous = 0.0;
};

legendre_pair legendre(int n, double_double t) {
  legendre_pair p;
  for (int k = 0; k < n; ++k) p = {((2 * k + 1) * t * p.value - k * p.previous) / (k + 1), p.value};
  return p;
}

/// The root of f near `guess`, where step(t) = f(t) / f'(t).
template <class Step>
double_double newton(double guess, Step step) {
  double_double t = guess;
  double_double change = 1.0;
  // Convergence is quadratic: a change below 1e-16 leaves an error below 1e-28.
  while (std::abs(change.hi) > 1e-16) {
    change = step(t);
    t = t - change;
  }
  return t;
}

/// Stores the point (1-t)/2 as number k from both ends. For t >= 0 the subtraction is done before
/// rounding, so that small points keep all their digits.
void place(quadrature_rule& rule, int k, double_double t, double_double weight) {
  const std::size_t first = static_cast<std::size_t>(k);
  const std::size_t last = rule.points.size() - 1 - first;
  rule.points[first] = (0.5 * (1.0 - t)).hi;
  rule.points[last] = 1.0 - rule.points[first];
  rule.weights[first] = rule.weights[last] = weight.hi;
}

quadrature_rule allocate(const char* name, int points, int least) {
  if (points < least || points > max_quadrature_points)
    throw error(std::string(name) + ": no rule with " + std::to_string(points) +
                " points; the number of points must be " + std::to_string(least) + " to " +
                std::to_string(max_quadrature_points));
  const std::size_t n = static_cast<std::size_t>(points);
  return {std::vector<double>(n), std::vector<double>(n)};
}

}  // namespace

quadrature_rule gauss(int points) {
  quadrature_rule rule = allocate("gauss", points, 1);
  const int n = points;
  // The points are the roots of P_n, and (1 - t^2) P_n' = n (P_{n-1} - t P_n).
  const auto step = [n](double_double t) {
    const legendre_pair p = legendre(n, t);
    return p.value * (1.0 - t * t) / (n * (p.previous - t * p.value));
  };
  for (int k = 0; 2 * k < n; ++k) {
    const double_double t = newton(std::cos(std::numbers::pi * (4 * k + 3) / (4 * n + 2)), step);
    const double_double slope = n * legendre(n, t).previous;  // (1 - t^2) P_n'(t)
    place(rule, k, t, (1.0 - t * t) / (slope * slope));
  }
  return rule;
}

quadrature_rule gauss_lobatto(int points) {
  quadrature_rule rule = allocate("gauss_lobatto", points, 2);
  const int m = points - 1;
  // The points are the roots of f = (1 - t^2) P_m' = m (P_{m-1} - t P_m), and by Legendre's
  // differential equation f' = -m (m+1) P_m.
  const auto step = [m](double_double t) {
    const legendre_pair p = legendre(m, t);
    return (t * p.value - p.previous) / ((m + 1) * p.value);
  };
  for (int k = 0; 2 * k <= m; ++k) {
    // Parter's asymptotic formula; Newton's method stays with the root that it names.
    const double angle = std::numbers::pi * (k + 0.25) / m;
    const double guess = std::cos(angle - 3.0 / (8.0 * m * m * angle));
    const double_double t = k == 0 ? double_double(1.0) : newton(guess, step);
    const double_double p = legendre(m, t).value;
    place(rule, k, t, 1.0 / (m * (m + 1) * p * p));
  }
  return rule;
}

}  // namespace tessera::fem
