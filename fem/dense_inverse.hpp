// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a small matrix, for tables that are made once.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace tessera::fem::detail {

/// The inverse of (n,n) column-major, by elimination with partial pivoting. It must not be singular.
inline std::vector<double> inverse(std::vector<double> A, int size) {
  const std::size_t n = static_cast<std::size_t>(size);
  std::vector<double> X(n * n);
  for (std::size_t i = 0; i < n; ++i) X[i + n * i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i + n * k]) > std::abs(A[pivot + n * k])) pivot = i;
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(A[k + n * j], A[pivot + n * j]);
      std::swap(X[k + n * j], X[pivot + n * j]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i + n * k] / A[k + n * k];
      for (std::size_t j = k; j < n; ++j) A[i + n * j] -= factor * A[k + n * j];
      for (std::size_t j = 0; j < n; ++j) X[i + n * j] -= factor * X[k + n * j];
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) X[k + n * j] /= A[k + n * k];
  return X;
}

}  // namespace tessera::fem::detail
