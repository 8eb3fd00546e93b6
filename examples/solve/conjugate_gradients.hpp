// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with the diagonal as preconditioner, as a code around an operator has them.
#pragma once

#include <tessera/fem/global_operator.hpp>

#include <functional>
#include <vector>

namespace tessera::examples {

struct solution {
  std::vector<double> u;
  std::vector<double> residuals;  // before the first iteration, and after each, relative to the first
  int iterations() const { return int(residuals.size()) - 1; }
};

/// Solves A u = b from u = 0 until the residual has fallen by `tolerance`. At constrained numbers A is the identity and
/// b has the wanted values, 0 in our examples. `progress` is called after each iteration.
solution conjugate_gradients(const fem::global_operator<double>& A, const std::vector<double>& b, double tolerance,
                             int most_iterations, const std::function<void(int, double)>& progress = {});

/// Sums blocks of one length, so that no bit depends on the number of threads.
double dot(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tessera::examples
