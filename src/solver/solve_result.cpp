// SPDX-License-Identifier: BSD-3-Clause
// What a solver reports, in words, and the eigenvalues that its iterations have seen.
#include <tessera/solver/solve_result.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tessera {

namespace {

const char* outcome_text(solve_outcome outcome) {
  switch (outcome) {
    case solve_outcome::converged: return "converged";
    case solve_outcome::zero_right_hand_side: return "the right-hand side is zero";
    case solve_outcome::iteration_limit: return "not converged: iteration limit";
    case solve_outcome::indefinite_operator: return "the operator is not positive definite: p.Ap <= 0";
    case solve_outcome::indefinite_preconditioner: return "the preconditioner is not positive definite: r.Mr <= 0";
    case solve_outcome::not_a_number: return "a number that is not finite";
  }
  return "unknown outcome";
}

// A symmetric tridiagonal matrix.
struct tridiagonal {
  std::vector<double> diagonal, beside;  // beside[k]: entry (k, k + 1)

  // How many eigenvalues are below `x`: the negative pivots of an elimination of T - x I.
  int eigenvalues_below(double x) const {
    int count = 0;
    double pivot = 1;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      pivot = diagonal[k] - x - (k == 0 ? 0 : beside[k - 1] * beside[k - 1] / pivot);
      if (pivot == 0) pivot = 1e-300;
      count += pivot < 0 ? 1 : 0;
    }
    return count;
  }

  // The k-th smallest, by bisection of an interval that has all of them.
  double eigenvalue(int k, double low, double high) const {
    for (int step = 0; step < 200 && high - low > 1e-14 * std::abs(high); ++step) {
      const double middle = 0.5 * (low + high);
      (eigenvalues_below(middle) > k ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }
};

}  // namespace

std::string solve_result::describe() const {
  char text[160];
  if (residuals.empty() || outcome == solve_outcome::zero_right_hand_side)
    std::snprintf(text, sizeof text, "%s in iteration %d", outcome_text(outcome), iterations);
  else
    std::snprintf(text, sizeof text, "%s in iteration %d: residual %.3g of %.3g, limit %.3g", outcome_text(outcome),
                  iterations, residuals.back(), residuals.front(), limit);
  return text;
}

eigenvalue_range estimated_eigenvalues(const solve_result& of) {
  // The iterations' Lanczos matrix: (k, k) is 1 / alpha_k + beta_(k-1) / alpha_(k-1), (k, k + 1) sqrt(beta_k) /
  // alpha_k.
  tridiagonal T;
  double most = 0;
  for (std::size_t k = 0; k < of.alpha.size(); ++k) {
    const double before = k == 0 ? 0 : of.beta[k - 1] / of.alpha[k - 1];
    T.diagonal.push_back(1 / of.alpha[k] + before);
    T.beside.push_back(std::sqrt(std::max(of.beta[k], 0.0)) / of.alpha[k]);
    most = std::max(most, T.diagonal.back() + T.beside.back() + (k == 0 ? 0 : T.beside[k - 1]));
  }
  const int count = int(T.diagonal.size());
  if (count == 0) return {};
  return {T.eigenvalue(0, 0, most), T.eigenvalue(count - 1, 0, most)};
}

}  // namespace tessera
