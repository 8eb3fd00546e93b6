// SPDX-License-Identifier: BSD-3-Clause
// The mass operator by its definition, with long double sums over dense tables, and bounds of what rounding may change.
#pragma once

#include <tessera/fem/basis.hpp>
#include <tessera/fem/strategies/coefficient.hpp>
#include <tessera/fem/strategies/geometry.hpp>
#include <tessera/fem/strategies/mass.hpp>

#include <cmath>
#include <vector>

#include "fem/seeded.hpp"

namespace tessera::testing {

/// Dense sums of one mass operator.
class reference_mass {
 public:
  reference_mass(const fem::mesh& domain, int order, const fem::mass_operator<double>& like, fem::basis_kind kind,
                 const fem::coefficient& rho)
      : d_(like.size()), q_(like.grid().size()) {
    const fem::basis functions(kind, order);
    std::vector<fem::basis_tables> tables;
    for (const fem::quadrature_rule& rule : like.grid().axis) tables.push_back(fem::tabulate(functions, rule));
    B_.resize(at(q_ * d_));
    for (index_t i = 0; i < d_; ++i)
      for (index_t k = 0; k < q_; ++k) {
        long double product = 1;
        index_t ki = k, ii = i;
        for (const fem::basis_tables& t : tables) {
          product *= t.B[at(ki % t.q + t.q * (ii % t.d))];
          ki /= t.q;
          ii /= t.d;
        }
        B_[at(k + q_ * i)] = product;
        B_sizes_.push_back(static_cast<double>(std::abs(product)));
      }
    D_ = fem::mass_at_points(domain, like.grid(), rho);
  }

  index_t functions() const { return d_; }
  index_t points() const { return q_; }
  const std::vector<double>& D() const { return D_; }

  /// y = B^T W B x of one element, W being `weights` (points).
  std::vector<long double> apply(const double* x, const double* weights) const {
    std::vector<long double> at_points(at(q_)), y(at(d_));
    for (index_t i = 0; i < d_; ++i)
      for (index_t k = 0; k < q_; ++k) at_points[at(k)] += B_[at(k + q_ * i)] * x[i];
    for (index_t k = 0; k < q_; ++k) at_points[at(k)] *= weights[k];
    for (index_t i = 0; i < d_; ++i)
      for (index_t k = 0; k < q_; ++k) y[at(i)] += B_[at(k + q_ * i)] * at_points[at(k)];
    return y;
  }
  /// The same with absolute values throughout, in double: what errors are relative to.
  std::vector<double> magnitudes(const double* x, const double* weights) const {
    std::vector<double> at_points(at(q_)), y(at(d_));
    for (index_t i = 0; i < d_; ++i)
      for (index_t k = 0; k < q_; ++k) at_points[at(k)] += B_sizes_[at(k + q_ * i)] * std::abs(x[i]);
    for (index_t k = 0; k < q_; ++k) at_points[at(k)] *= std::abs(weights[k]);
    for (index_t i = 0; i < d_; ++i)
      for (index_t k = 0; k < q_; ++k) y[at(i)] += B_sizes_[at(k + q_ * i)] * at_points[at(k)];
    return y;
  }
  /// M(i,j) of element e.
  long double entry(index_t i, index_t j, index_t e) const {
    long double sum = 0;
    for (index_t k = 0; k < q_; ++k) sum += B_[at(k + q_ * i)] * D_[at(k + q_ * e)] * B_[at(k + q_ * j)];
    return sum;
  }
  double entry_magnitude(index_t i, index_t j, const double* weights) const {
    double sum = 0;
    for (index_t k = 0; k < q_; ++k) sum += B_sizes_[at(k + q_ * i)] * std::abs(weights[k]) * B_sizes_[at(k + q_ * j)];
    return sum;
  }

 private:
  static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

  index_t d_, q_;
  std::vector<long double> B_;   // (q,d)
  std::vector<double> B_sizes_;  // |B|
  std::vector<double> D_;        // (q) an element
};

/// |rho weight| times the determinant with every term, and every term of the derivatives, made positive: what the error
/// of a determinant is relative to. [k + q e]
std::vector<double> determinant_magnitudes(const fem::mesh& domain, const fem::quadrature_grid& grid,
                                           const fem::coefficient& rho);

/// Roundings along each strategy's way: the sum of the lengths of its sums, 2 a stage, 1 for the product of a pair of
/// factors, and those of the tables and D to type T.
inline double roundings(fem::strategy how, const std::vector<int>& q, int d, double nd, double nq) {
  double chain_q = 0, dim = static_cast<double>(q.size());
  for (const int q1 : q) chain_q += q1 + 2;
  const double inputs = 2 * dim + 1;
  switch (how) {
    case fem::strategy::full_assembly: return inputs + 3 + (nq + 2) + (nd + 2);
    case fem::strategy::decomposed_evaluation: return inputs + (nd + 2) + 3 + (nq + 2);
    case fem::strategy::near_optimal_assembly: return inputs + chain_q + dim + (nd + 2);
    case fem::strategy::near_optimal_evaluation:
    case fem::strategy::matrix_free: return inputs + dim * (d + 2) + 3 + chain_q;
  }
  return 0;
}

/// Roundings of a determinant, from coordinates to rho weight det J: three derivatives with their inputs, and the
/// products.
inline double determinant_roundings(int dim, int geometry_nodes) {
  return dim * (dim * (geometry_nodes + 2) + dim + 1) + 9 + 2;
}

}  // namespace tessera::testing
