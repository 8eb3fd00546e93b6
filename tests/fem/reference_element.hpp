// SPDX-License-Identifier: BSD-3-Clause
// Element operators by their definition: dense sums in long double, and bounds of what rounding may change.
#pragma once

#include <tessera/element/pointwise.hpp>
#include <tessera/fem/element_operator.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace tessera::testing {

/// y = B^T D(B x) of one element, Function being the pointwise function.
template <class Function>
class reference_element {
 public:
  static constexpr int dim = Function::dim, trials = Function::trial.components, tests = Function::test.components;

  reference_element(const fem::basis& trial, const fem::basis& test, const fem::quadrature_rule& rule)
      : u_(fem::tabulate(trial, rule)), v_(fem::tabulate(test, rule)) {
    magnify(u_, rule, u_sizes_);
    magnify(v_, rule, v_sizes_);
  }

  index_t trial_size() const { return power(u_.d); }
  index_t test_size() const { return power(v_.d); }
  index_t points() const { return power(u_.q); }

  /// x (d^dim, trials), D (factors, points).
  std::vector<long double> apply(const double* x, const double* D) const { return sum(u_, v_, x, D, false); }
  /// The same with absolute values all along, of the way that fused kernels go: what their errors are relative to.
  std::vector<long double> magnitudes(const double* x, const double* D) const {
    return sum(u_sizes_, v_sizes_, x, D, true);
  }
  /// Roundings on the longest way through a fused kernel.
  double roundings() const { return 2 * (dim + 1) * (u_.d + v_.d + 2 * u_.q + 8) + 8 * dim * dim + 20; }

 private:
  static index_t power(index_t n) { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }
  static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

  // |T| + |T reversed| for B; |C| + |C reversed| times that for G, or, with fewer points than functions, as for B.
  static void magnify(const fem::basis_tables& t, const fem::quadrature_rule& rule, fem::basis_tables& sizes) {
    const std::vector<double> C = fem::differentiation_matrix(rule.points);
    const index_t q = t.q, d = t.d;
    sizes = t;
    for (index_t i = 0; i < d; ++i)
      for (index_t k = 0; k < q; ++k)
        sizes.B[at(k + q * i)] = std::abs(t.B[at(k + q * i)]) + std::abs(t.B[at(k + q * (d - 1 - i))]);
    if (q < d) {
      for (index_t i = 0; i < d; ++i)
        for (index_t k = 0; k < q; ++k)
          sizes.G[at(k + q * i)] = std::abs(t.G[at(k + q * i)]) + std::abs(t.G[at(k + q * (d - 1 - i))]);
      return;
    }
    for (index_t i = 0; i < d; ++i)
      for (index_t k = 0; k < q; ++k) {
        double sum = 0;
        for (index_t l = 0; l < q; ++l)
          sum += (std::abs(C[at(k + q * l)]) + std::abs(C[at(k + q * (q - 1 - l))])) * sizes.B[at(l + q * i)];
        sizes.G[at(k + q * i)] = sum;
      }
  }

  // The product over the directions of B, or of G in direction `slope`.
  static long double factor(const fem::basis_tables& t, index_t k, index_t i, int slope) {
    long double product = 1;
    for (int a = 0; a < dim; ++a, k /= t.q, i /= t.d)
      product *= (a == slope ? t.G : t.B)[at(k % t.q + t.q * (i % t.d))];
    return product;
  }

  std::vector<long double> sum(const fem::basis_tables& u, const fem::basis_tables& v, const double* x, const double* D,
                               bool sizes) const {
    const auto signless = [&](double value) -> long double { return sizes ? std::abs(value) : value; };
    const index_t nx = trial_size(), ny = test_size();
    std::vector<long double> y(at(ny * tests));
    for (index_t k = 0; k < points(); ++k) {
      at_point<long double, trials, dim> in{};
      at_point<long double, tests, dim> out{};
      for (int c = 0; c < trials; ++c)
        for (index_t i = 0; i < nx; ++i) {
          const long double entry = signless(x[i + nx * c]);
          in.value[c] += factor(u, k, i, -1) * entry;
          for (int a = 0; a < dim; ++a) in.gradient[c][a] += factor(u, k, i, a) * entry;
        }
      long double own[Function::factors];
      for (int f = 0; f < Function::factors; ++f) own[f] = signless(D[f + Function::factors * k]);
      Function{}(in, own, out);
      for (int c = 0; c < tests; ++c)
        for (index_t i = 0; i < ny; ++i) {
          if (Function::test.value) y[at(i + ny * c)] += factor(v, k, i, -1) * out.value[c];
          if (Function::test.gradient)
            for (int a = 0; a < dim; ++a) y[at(i + ny * c)] += factor(v, k, i, a) * out.gradient[c][a];
        }
    }
    return y;
  }

  fem::basis_tables u_, v_, u_sizes_, v_sizes_;
};

}  // namespace tessera::testing
