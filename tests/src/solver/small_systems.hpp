// SPDX-License-Identifier: BSD-3-Clause
// Batches of small symmetric positive definite systems, the textbook's solution, and bounds of errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "testing/at.hpp"

namespace tessera::testing {

/// `count` systems of n unknowns. The strict upper triangles are not numbers: nothing may read them.
template <class T>
struct small_systems {
  index_t n, count;
  std::vector<T> A, b;

  /// Off-diagonal entries below 1/2, and a diagonal from n to 2 n: eigenvalues between n / 2 and 5 n / 2.
  small_systems(index_t rows, index_t matrices) : small_systems(rows, matrices, 0) {
    for (index_t m = 0; m < count; ++m)
      for (index_t j = 0; j < n; ++j)
        for (index_t i = j; i < n; ++i) entry(m, i, j) = T(i == j ? double(n) * (1.5 + some()) : some());
  }

  /// C C^T + 1e-10, C being square: condition numbers up to 1e12.
  static small_systems nearly_singular(index_t n, index_t count) {
    small_systems s(n, count, 0);
    std::vector<double> C(at(n * n));
    for (index_t m = 0; m < count; ++m) {
      for (double& c : C) c = s.some();
      for (index_t k = 0; k < n; ++k) C[at(n - 1 + n * k)] = n > 1 ? C[at(n * k)] : 1;  // two rows alike
      for (index_t j = 0; j < n; ++j)
        for (index_t i = j; i < n; ++i) {
          double sum = i == j ? 1e-10 : 0;
          for (index_t k = 0; k < n; ++k) sum += C[at(i + n * k)] * C[at(j + n * k)];
          s.entry(m, i, j) = T(sum);
        }
    }
    return s;
  }

  T& entry(index_t m, index_t i, index_t j) { return A[at(n * n * m + std::max(i, j) + n * std::min(i, j))]; }
  double entry(index_t m, index_t i, index_t j) const {
    return double(A[at(n * n * m + std::max(i, j) + n * std::min(i, j))]);
  }

  /// y = A x
  void apply(const T* x, T* y) const {
    for (index_t m = 0; m < count; ++m)
      for (index_t i = 0; i < n; ++i) {
        double sum = 0;
        for (index_t j = 0; j < n; ++j) sum += entry(m, i, j) * double(x[n * m + j]);
        y[n * m + i] = T(sum);
      }
  }

  /// The largest |A x - b| of a matrix over 4 n u |A| |x|, in the maximum norm.
  double worst_residual(const std::vector<T>& x) const {
    double worst = 0;
    for (index_t m = 0; m < count; ++m) {
      double residual = 0, norm = 0, of_x = 0;
      for (index_t i = 0; i < n; ++i) {
        double sum = -double(b[at(n * m + i)]), row = 0;
        for (index_t j = 0; j < n; ++j) {
          sum += entry(m, i, j) * double(x[at(n * m + j)]);
          row += std::abs(entry(m, i, j));
        }
        residual = std::abs(sum) <= residual ? residual : std::abs(sum);
        norm = std::max(norm, row);
        of_x = std::max(of_x, std::abs(double(x[at(n * m + i)])));
      }
      worst = not_less(worst, residual / (4 * double(n) * unit() * norm * of_x));
    }
    return worst;
  }

  /// The largest |x - solution| of a matrix over 20 n u |x|, in the maximum norm: for the well-conditioned ones.
  double worst_error(const std::vector<T>& x) const {
    double worst = 0;
    for (index_t m = 0; m < count; ++m) {
      const std::vector<double> wanted = solution(m);
      double error = 0, of_x = 0;
      for (index_t i = 0; i < n; ++i) {
        const double off = std::abs(wanted[at(i)] - double(x[at(n * m + i)]));
        error = off <= error ? error : off;
        of_x = std::max(of_x, std::abs(wanted[at(i)]));
      }
      worst = not_less(worst, error / (20 * double(n) * unit() * of_x));
    }
    return worst;
  }

  /// As textbooks have it, by L L^T, in double.
  std::vector<double> solution(index_t m) const {
    std::vector<double> L(at(n * n)), x(at(n));
    for (index_t j = 0; j < n; ++j)
      for (index_t i = j; i < n; ++i) {
        double sum = entry(m, i, j);
        for (index_t k = 0; k < j; ++k) sum -= L[at(i + n * k)] * L[at(j + n * k)];
        L[at(i + n * j)] = i == j ? std::sqrt(sum) : sum / L[at(j + n * j)];
      }
    for (index_t i = 0; i < n; ++i) {
      x[at(i)] = double(b[at(n * m + i)]);
      for (index_t k = 0; k < i; ++k) x[at(i)] -= L[at(i + n * k)] * x[at(k)];
      x[at(i)] /= L[at(i + n * i)];
    }
    for (index_t i = n - 1; i >= 0; --i) {
      for (index_t k = i + 1; k < n; ++k) x[at(i)] -= L[at(k + n * i)] * x[at(k)];
      x[at(i)] /= L[at(i + n * i)];
    }
    return x;
  }

 private:
  std::mt19937 random_{5};

  small_systems(index_t rows, index_t matrices, int)
      : n(rows),
        count(matrices),
        A(at(rows * rows * matrices), std::numeric_limits<T>::quiet_NaN()),
        b(at(rows * matrices)) {
    for (T& number : b) number = T(2 * some());
  }
  double some() { return double(random_()) / 4294967296.0 - 0.5; }
  static double unit() { return double(std::numeric_limits<T>::epsilon()) / 2; }
  // The larger one; what is not a number is larger than all.
  static double not_less(double worst, double found) { return found <= worst ? worst : found; }
};

}  // namespace tessera::testing
