// SPDX-License-Identifier: BSD-3-Clause
// Takes tables from a CeedBasis, and finds what makes them cheap: symmetry, nodes at the points, one derivative matrix.
#include "basis_tables.hpp"

#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>

#include "failure.hpp"

namespace tessera::ceed {

namespace {

constexpr double rounding = 1e-14;  // of entries, as a share of the largest one

double largest(const std::vector<double>& table) {
  double most = 0;
  for (const double entry : table) most = std::max(most, std::abs(entry));
  return most;
}

// libCEED's rows are points.
std::vector<double> by_columns(const CeedScalar* table, int q, int n) {
  std::vector<double> result(static_cast<std::size_t>(q) * std::size_t(n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < q; ++k) result[std::size_t(k) + std::size_t(q) * std::size_t(i)] = table[k * n + i];
  return result;
}

// Makes table(q-1-k, n-1-i) == sign table(k, i) where that holds up to rounding.
void symmetrise(std::vector<double>& table, int sign) {
  const double limit = 10 * rounding * largest(table);
  const std::size_t size = table.size();
  for (std::size_t j = 0; j < size; ++j)
    if (!(std::abs(table[j] - sign * table[size - 1 - j]) <= limit)) return;
  for (std::size_t j = 0; 2 * j < size; ++j) {
    const double mean = (table[j] + sign * table[size - 1 - j]) / 2;
    table[j] = mean;
    table[size - 1 - j] = sign * mean;
  }
}

// Nodes that are the points: an identity, without the rounding of its computation.
void snap_to_identity(std::vector<double>& table, int q, int n) {
  if (q != n) return;
  const auto exact = [n](std::size_t j) { return j % std::size_t(n + 1) == 0 ? 1.0 : 0.0; };
  for (std::size_t j = 0; j < table.size(); ++j)
    if (!(std::abs(table[j] - exact(j)) <= rounding)) return;
  for (std::size_t j = 0; j < table.size(); ++j) table[j] = exact(j);
}

// C of the points, or nothing where gradients are not C times the values.
std::vector<double> derivatives_through(std::vector<double> points, const basis_tables& b) {
  symmetrise(points, -1);
  if (b.points < b.functions || !std::is_sorted(points.begin(), points.end(), std::less_equal<>())) return {};
  std::vector<double> C = fem::differentiation_matrix(points);
  symmetrise(C, -1);
  const double limit = 10 * rounding * largest(b.gradients);
  const auto q = std::size_t(b.points);
  for (std::size_t i = 0; i < std::size_t(b.functions); ++i)
    for (std::size_t k = 0; k < q; ++k) {
      double sum = 0;
      for (std::size_t l = 0; l < q; ++l) sum += C[k + q * l] * b.values[l + q * i];
      if (!(std::abs(sum - b.gradients[k + q * i]) <= limit)) return {};
    }
  return C;
}

basis_tables line_tables(CeedBasis basis, basis_tables b) {
  const CeedScalar *values = nullptr, *gradients = nullptr, *points = nullptr;
  CeedInt p = 0, q = 0;
  check(CeedBasisGetNumNodes1D(basis, &p));
  check(CeedBasisGetNumQuadraturePoints1D(basis, &q));
  check(CeedBasisGetInterp1D(basis, &values));
  check(CeedBasisGetGrad1D(basis, &gradients));
  check(CeedBasisGetQRef(basis, &points));
  b.functions = p;
  b.points = q;
  b.values = by_columns(values, q, p);
  b.gradients = by_columns(gradients, q, p);
  symmetrise(b.values, 1);
  symmetrise(b.gradients, -1);
  snap_to_identity(b.values, q, p);
  if (points != nullptr) b.differentiate = derivatives_through({points, points + q}, b);
  return b;
}

basis_tables dense_tables(CeedBasis basis, basis_tables b) {
  const CeedScalar *values = nullptr, *gradients = nullptr;
  CeedInt p = 0, q = 0;
  check(CeedBasisGetNumNodes(basis, &p));
  check(CeedBasisGetNumQuadraturePoints(basis, &q));
  check(CeedBasisGetInterp(basis, &values));
  check(CeedBasisGetGrad(basis, &gradients));
  b.functions = p;
  b.points = q;
  b.values = by_columns(values, q, p);
  for (int a = 0; a < b.dim; ++a) {
    const std::vector<double> direction = by_columns(gradients + std::ptrdiff_t(a) * p * q, q, p);
    b.gradients.insert(b.gradients.end(), direction.begin(), direction.end());
  }
  return b;
}

}  // namespace

basis_tables tables_of(CeedBasis basis) {
  basis_tables b;
  CeedInt dim = 0, components = 0;
  check(CeedBasisIsTensor(basis, &b.tensor));
  check(CeedBasisGetDimension(basis, &dim));
  check(CeedBasisGetNumComponents(basis, &components));
  if (dim < 1 || dim > 3) throw not_taken{"a basis is not of dimension 1, 2 or 3"};
  b.dim = dim;
  b.components = components;
  return b.tensor ? line_tables(basis, b) : dense_tables(basis, b);
}

std::vector<double> weights_of(CeedBasis basis) {
  const CeedScalar* w = nullptr;
  bool tensor = false;
  CeedInt dim = 0, all = 0, q = 0;
  check(CeedBasisGetQWeights(basis, &w));
  check(CeedBasisIsTensor(basis, &tensor));
  check(CeedBasisGetDimension(basis, &dim));
  check(CeedBasisGetNumQuadraturePoints(basis, &all));
  if (w == nullptr) throw not_taken{"a basis has no weights"};
  if (!tensor) return {w, w + all};
  check(CeedBasisGetNumQuadraturePoints1D(basis, &q));
  std::vector<double> weights(static_cast<std::size_t>(all), 1.0);
  for (CeedInt k = 0; k < all; ++k)
    for (CeedInt a = 0, rest = k; a < dim; ++a, rest /= q) weights[std::size_t(k)] *= w[rest % q];
  return weights;
}

}  // namespace tessera::ceed
