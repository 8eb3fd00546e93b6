// SPDX-License-Identifier: BSD-3-Clause
// What a solver reports: why it ended, in which iteration, and the residuals on the way.
#pragma once

#include <string>
#include <vector>

namespace tessera {

enum class solve_outcome {
  converged,
  zero_right_hand_side,       ///< the solution is x = 0
  iteration_limit,            ///< x is what the last iteration gave
  indefinite_operator,        ///< p.Ap <= 0 for the search direction p; x is from the iteration before
  indefinite_preconditioner,  ///< r.Mr <= 0 for the residual r; < 0, and x from the iteration before, if that is the
                              ///< norm
  not_a_number                ///< NaN or infinity, from an operator or in b; x is from the iteration before
};

struct solve_result {
  solve_outcome outcome = solve_outcome::iteration_limit;
  /// The iteration in which it ended, counted from 1; 0: before the first.
  int iterations = 0;
  double limit = 0;  ///< the norm of the residual from which on it is converged
  /// Norms of the residual r = b - A x, as iterations update it: [0] at the start, [k] after iteration k. sqrt(r.r), or
  /// sqrt(r.Mr) with residual_norm::preconditioned; [0] is then NaN where r.Mr is negative.
  std::vector<double> residuals{};
  /// [k - 1]: the factors alpha and beta of iteration k, which tell eigenvalues; beta is 0 in the last.
  std::vector<double> alpha{}, beta{};

  /// Whether x is the solution, to the tolerance.
  bool solved() const { return outcome == solve_outcome::converged || outcome == solve_outcome::zero_right_hand_side; }
  /// "converged in iteration 12: residual 3.1e-09 of 1.2, limit 1.2e-08".
  std::string describe() const;
};

/// The extreme eigenvalues of M A on what the iterations have seen, M being the preconditioner: from below the largest
/// and from above the smallest one. Both are 0 where there was no iteration.
struct eigenvalue_range {
  double smallest = 0, largest = 0;
};
eigenvalue_range estimated_eigenvalues(const solve_result& of);

}  // namespace tessera
