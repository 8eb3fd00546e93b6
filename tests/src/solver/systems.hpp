// SPDX-License-Identifier: BSD-3-Clause
// Systems that solvers are tested with, and conjugate gradients as textbooks have them.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>

#include "testing/at.hpp"

namespace tessera::testing {

/// -u'' on n points plus a term that differs from point to point, scaled: a positive definite tridiagonal matrix.
template <class T>
struct chain_of_springs {
  index_t n;
  T stiffness(index_t i) const { return T(1 + 0.5 * std::sin(double(i))); }  // between i - 1 and i
  T diagonal(index_t i) const { return stiffness(i) + stiffness(i + 1) + T(0.01 * double(1 + i % 7)); }
  index_t size() const { return n; }
  void apply(const T* x, T* y) const {
    for (index_t i = 0; i < n; ++i)
      y[i] = diagonal(i) * x[i] - (i > 0 ? stiffness(i) * x[i - 1] : T(0)) -
             (i + 1 < n ? stiffness(i + 1) * x[i + 1] : T(0));
  }
  std::vector<T> diagonals() const {
    std::vector<T> d;
    for (index_t i = 0; i < n; ++i) d.push_back(diagonal(i));
    return d;
  }
};

/// Several systems at once: chain_of_springs - shift I for each shift, one after the other.
template <class T>
struct side_by_side {
  chain_of_springs<T> springs;
  std::vector<T> shifts;
  int systems() const { return int(shifts.size()); }
  index_t size() const { return springs.n * index_t(shifts.size()); }
  void apply(const T* x, T* y) const {
    for (const T shift : shifts) {
      springs.apply(x, y);
      for (index_t i = 0; i < springs.n; ++i) y[i] -= shift * x[i];
      x += springs.n;
      y += springs.n;
    }
  }
  std::vector<T> diagonals() const {
    std::vector<T> d;
    for (const T shift : shifts)
      for (index_t i = 0; i < springs.n; ++i) d.push_back(springs.diagonal(i) - shift);
    return d;
  }
  side_by_side only(std::size_t system) const { return {springs, {shifts[system]}}; }
  std::vector<T> part_of(const std::vector<T>& all, std::size_t system) const {
    const auto first = all.begin() + springs.n * index_t(system);
    return {first, first + springs.n};
  }
};

template <class T>
std::vector<T> some_numbers(index_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> numbers(at(n));
  for (T& number : numbers) number = T(double(random()) / 2147483648.0 - 1);
  return numbers;
}

/// Four systems that end apart: the second has b = 0, the third is indefinite, the last has closer eigenvalues.
template <class T>
struct four_systems {
  side_by_side<T> A;
  std::vector<T> b, guess;
  explicit four_systems(index_t n)
      : A{{n}, {T(0), T(0), T(0.5), T(-0.5)}}, b(some_numbers<T>(4 * n, 1)), guess(some_numbers<T>(4 * n, 2)) {
    std::fill_n(b.begin() + n, n, T(0));
  }
};

inline double plain_dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

using plain_operator = std::function<std::vector<double>(const std::vector<double>&)>;

/// So many iterations of the preconditioned method, from x; returns the norms of the residuals.
inline std::vector<double> plain_conjugate_gradients(const plain_operator& A, const plain_operator& M,
                                                     const std::vector<double>& b, int iterations,
                                                     std::vector<double>& x) {
  std::vector<double> r = A(x), norms;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  std::vector<double> z = M(r), p = z;
  double rz = plain_dot(r, z);
  norms.push_back(std::sqrt(plain_dot(r, r)));
  for (int k = 0; k < iterations; ++k) {
    const std::vector<double> q = A(p);
    const double alpha = rz / plain_dot(p, q);
    for (std::size_t i = 0; i < r.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    norms.push_back(std::sqrt(plain_dot(r, r)));
    z = M(r);
    const double next = plain_dot(r, z);
    for (std::size_t i = 0; i < r.size(); ++i) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  return norms;
}

struct threads_for_now {
  int before = omp_get_max_threads();
  explicit threads_for_now(int threads) { omp_set_num_threads(threads); }
  ~threads_for_now() { omp_set_num_threads(before); }
};

}  // namespace tessera::testing
