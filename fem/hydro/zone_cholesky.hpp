// SPDX-License-Identifier: BSD-3-Clause
// Symmetric positive definite matrices of zones: column-major, factored in place as L L^T, the lower triangle.
#pragma once

#include <tessera/core/types.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace tessera::fem::detail {

/// Throws where the matrix is not positive definite.
inline void factor(std::vector<double>& A, index_t n) {
  double* a = A.data();
  for (index_t j = 0; j < n; ++j) {
    for (index_t k = 0; k < j; ++k) {
      const double factor = a[j + n * k];
      for (index_t i = j; i < n; ++i) a[i + n * j] -= a[i + n * k] * factor;
    }
    if (!(a[j + n * j] > 0)) throw std::runtime_error("a matrix of a zone is not positive definite");
    const double scale = 1 / std::sqrt(a[j + n * j]);
    for (index_t i = j; i < n; ++i) a[i + n * j] *= scale;
  }
}

/// b = A^-1 b.
inline void solve(const std::vector<double>& A, index_t n, double* b) {
  const double* a = A.data();
  for (index_t j = 0; j < n; ++j) {
    b[j] /= a[j + n * j];
    for (index_t i = j + 1; i < n; ++i) b[i] -= a[i + n * j] * b[j];
  }
  for (index_t j = n - 1; j >= 0; --j) {
    for (index_t i = j + 1; i < n; ++i) b[j] -= a[i + n * j] * b[i];
    b[j] /= a[j + n * j];
  }
}

}  // namespace tessera::fem::detail
