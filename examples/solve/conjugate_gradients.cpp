// SPDX-License-Identifier: BSD-3-Clause
// The loop of conjugate gradients, on all threads.
#include "solve/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::examples {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr index_t length = 4096;
  const index_t size = index_t(a.size()), blocks = (size + length - 1) / length;
  std::vector<double> sums(static_cast<std::size_t>(blocks));
#pragma omp parallel for
  for (index_t k = 0; k < blocks; ++k) {
    const index_t first = k * length, end = std::min(size, first + length);
    double sum = 0;
    for (index_t i = first; i < end; ++i) sum += a[std::size_t(i)] * b[std::size_t(i)];
    sums[std::size_t(k)] = sum;
  }
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

solution conjugate_gradients(const fem::global_operator<double>& A, const std::vector<double>& b, double tolerance,
                             int most_iterations, const std::function<void(int, double)>& progress) {
  const std::size_t n = b.size();
  std::vector<double> r(b), p(n), q(n), z(n), diagonal(n);
  solution found{.u = std::vector<double>(n), .residuals = {1}};
  A.diagonal(diagonal.data());
  const double first = std::sqrt(dot(r, r));
  double rz = 0;
  while (first > 0 && found.residuals.back() > tolerance && found.iterations() < most_iterations) {
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) z[i] = r[i] / diagonal[i];
    const double before = rz;
    rz = dot(r, z);
    const double beta = found.iterations() == 0 ? 0 : rz / before;
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
    // snippet loop
    A.apply(p.data(), q.data());  // q = A p: gather, B^T D B in every element, scatter
    // end snippet
    const double alpha = rz / dot(p, q);
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) {
      found.u[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    found.residuals.push_back(std::sqrt(dot(r, r)) / first);
    if (progress) progress(found.iterations(), found.residuals.back());
  }
  return found;
}

}  // namespace tessera::examples
