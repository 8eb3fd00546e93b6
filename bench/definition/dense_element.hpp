// SPDX-License-Identifier: BSD-3-Clause
// The reference of element operators: their numbers, and dense sums over one element.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <tessera/fem/basis.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/quadrature.hpp>

#include "definition/element_sizes.hpp"

namespace tessera::bench {

inline std::size_t place(index_t i) { return std::size_t(i); }

// In [-1, 1), the same on all machines.
inline double value_at(index_t i, unsigned seed) {
  unsigned long long z =
      (static_cast<unsigned long long>(i) + 1) * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

template <class T>
void fill(std::span<T> values, unsigned seed) {
#pragma omp parallel for
  for (index_t i = 0; i < index_t(values.size()); ++i) values[place(i)] = T(value_at(i, seed));
}

inline fem::quadrature_rule rule_of(const element_sizes& s) {
  return s.nodal ? fem::gauss_lobatto(s.q) : fem::gauss(s.q);
}

/// Dense sums over one element; with `sizes`, of absolute values, of tables plus their reverse as in even and odd
/// halves.
template <class Function>
class dense_element {
 public:
  static constexpr int dim = Function::dim, components = Function::trial.components;

  explicit dense_element(const element_sizes& s) : s_(s) {
    if (s.simplex) {
      simplex_ = fem::simplex_element(dim, 0, {.trial = {.order = s.p}, .points = s.q}).trial;
      return;
    }
    const fem::quadrature_rule rule = rule_of(s);
    tables_ = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, s.p), rule);
    sizes_ = tables_;
    const std::vector<double> C = fem::differentiation_matrix(rule.points);
    const index_t q = tables_.q, d = tables_.d;
    for (index_t i = 0; i < d; ++i) {
      for (index_t k = 0; k < q; ++k)
        sizes_.B[place(k + q * i)] =
            std::abs(tables_.B[place(k + q * i)]) + std::abs(tables_.B[place(k + q * (d - 1 - i))]);
      for (index_t k = 0; k < q; ++k) {
        double sum = 0;
        for (index_t l = 0; l < q; ++l)
          sum += (std::abs(C[place(k + q * l)]) + std::abs(C[place(k + q * (q - 1 - l))])) * sizes_.B[place(l + q * i)];
        sizes_.G[place(k + q * i)] = sum;
      }
    }
  }

  template <class T>
  std::vector<long double> apply(const T* x, const T* D, bool sizes) const {
    const auto sign = [&](T value) -> long double { return sizes ? std::abs((long double)value) : value; };
    const fem::basis_tables& t = sizes ? sizes_ : tables_;
    const index_t n = s_.functions();
    std::vector<long double> y(place(n * components)), factors(place(n * (dim + 1)));
    for (index_t k = 0; k < s_.points(); ++k) {
      at_point<long double, components, dim> u{}, v{};
      for (index_t i = 0; i < n; ++i)
        for (int a = 0; a <= dim; ++a) factors[place(a + (dim + 1) * i)] = factor(t, k, i, a, sizes);
      for (int c = 0; c < components; ++c)
        for (index_t i = 0; i < n; ++i) {
          u.value[c] += factors[place((dim + 1) * i)] * sign(x[i + n * c]);
          for (int a = 0; a < dim; ++a) u.gradient[c][a] += factors[place(a + 1 + (dim + 1) * i)] * sign(x[i + n * c]);
        }
      long double own[Function::factors];
      for (int f = 0; f < Function::factors; ++f) own[f] = sign(D[f + Function::factors * k]);
      Function{}(u, own, v);
      for (int c = 0; c < components; ++c)
        for (index_t i = 0; i < n; ++i) {
          if (Function::test.value) y[place(i + n * c)] += factors[place((dim + 1) * i)] * v.value[c];
          if (Function::test.gradient)
            for (int a = 0; a < dim; ++a)
              y[place(i + n * c)] += factors[place(a + 1 + (dim + 1) * i)] * v.gradient[c][a];
        }
    }
    return y;
  }

 private:
  // Function i at point k, for a > 0 its derivative in direction a - 1.
  long double factor(const fem::basis_tables& t, index_t k, index_t i, int a, bool size) const {
    if (s_.simplex) {
      const index_t q = s_.points(), n = s_.functions();
      const double entry =
          a == 0 ? simplex_.values[place(k + q * i)] : simplex_.gradients[place(k + q * (i + n * (a - 1)))];
      return size ? std::abs(entry) : entry;
    }
    long double product = 1;
    for (index_t b = 0, kk = k, ii = i; b < dim; ++b, kk /= t.q, ii /= t.d)
      product *= (b + 1 == a ? t.G : t.B)[place(kk % t.q + t.q * (ii % t.d))];
    return product;
  }

  element_sizes s_;
  dense_basis simplex_;
  fem::basis_tables tables_, sizes_;
};

}  // namespace tessera::bench
