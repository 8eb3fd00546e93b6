// SPDX-License-Identifier: BSD-3-Clause
// Element operators by their definition: dense sums in long double, and bounds of what rounding may change.
#pragma once

#include <tessera/element/pointwise.hpp>
#include <tessera/fem/element_operator.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace tessera::testing {

/// work(i, phi) for every function i of an element: phi[a] is its derivative in direction a at point k, phi[dim] its
/// value.
template <int dim, class Work>
void each_function(const fem::basis_tables& t, index_t k, Work work) {
  constexpr index_t most = 40;
  const index_t q = t.q, d = t.d, d2 = dim > 1 ? d : 1, d3 = dim > 2 ? d : 1;
  long double B[3][most] = {}, G[3][most] = {};  // at the point; 1 in directions that are not there
  B[1][0] = B[2][0] = 1;
  for (int a = 0; a < dim; ++a, k /= q)
    for (index_t i = 0; i < d; ++i) {
      B[a][i] = t.B[static_cast<std::size_t>(k % q + q * i)];
      G[a][i] = t.G[static_cast<std::size_t>(k % q + q * i)];
    }
  index_t i = 0;
  for (index_t i3 = 0; i3 < d3; ++i3)
    for (index_t i2 = 0; i2 < d2; ++i2) {
      // Of the directions but the first: no derivative, one in the second, one in the third.
      const long double value = B[1][i2] * B[2][i3], second = G[1][i2] * B[2][i3], third = B[1][i2] * G[2][i3];
      for (index_t i1 = 0; i1 < d; ++i1, ++i) {
        long double phi[dim + 1];
        phi[0] = G[0][i1] * value;
        if constexpr (dim > 1) phi[1] = B[0][i1] * second;
        if constexpr (dim > 2) phi[2] = B[0][i1] * third;
        phi[dim] = B[0][i1] * value;
        work(i, phi);
      }
    }
}

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

  std::vector<long double> sum(const fem::basis_tables& u, const fem::basis_tables& v, const double* x, const double* D,
                               bool sizes) const {
    const auto signless = [&](double value) -> long double { return sizes ? std::abs(value) : value; };
    const index_t nx = trial_size(), ny = test_size();
    std::vector<long double> y(at(ny * tests));
    for (index_t k = 0; k < points(); ++k) {
      at_point<long double, trials, dim> in{};
      at_point<long double, tests, dim> out{};
      each_function<dim>(u, k, [&](index_t i, const long double(&phi)[dim + 1]) {
        for (int c = 0; c < trials; ++c) {
          const long double entry = signless(x[i + nx * c]);
          in.value[c] += phi[dim] * entry;
          for (int a = 0; a < dim; ++a) in.gradient[c][a] += phi[a] * entry;
        }
      });
      long double own[Function::factors];
      for (int f = 0; f < Function::factors; ++f) own[f] = signless(D[f + Function::factors * k]);
      Function{}(in, own, out);
      each_function<dim>(v, k, [&](index_t i, const long double(&phi)[dim + 1]) {
        for (int c = 0; c < tests; ++c) {
          if (Function::test.value) y[at(i + ny * c)] += phi[dim] * out.value[c];
          if (Function::test.gradient)
            for (int a = 0; a < dim; ++a) y[at(i + ny * c)] += phi[a] * out.gradient[c][a];
        }
      });
    }
    return y;
  }

  fem::basis_tables u_, v_, u_sizes_, v_sizes_;
};

}  // namespace tessera::testing
