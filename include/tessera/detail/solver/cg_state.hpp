// SPDX-License-Identifier: BSD-3-Clause
// The numbers of conjugate gradients, and what they decide: the same code on a CPU and in a kernel.
#pragma once

#include <tessera/solver/solve_result.hpp>

namespace tessera::detail {

constexpr bool is_finite(double x) { return x - x == 0; }

/// An iteration calls, in this order, curvature, residual and direction. After `stop` they do nothing.
struct cg_state {
  // As given.
  double relative = 0, absolute = 0;
  int max_iterations = 0;
  bool flexible = false;

  double limit = 0, norm = 0;  // of the residual
  double alpha = 0, beta = 0;
  double rz = 0;  // r.Mr
  int iteration = 0;
  bool active = false;   // it had not stopped when this iteration began
  bool advance = false;  // this iteration has an alpha: x += alpha p
  bool stopped = false;
  solve_outcome outcome = solve_outcome::iteration_limit;

  constexpr void stop(solve_outcome why) {
    stopped = true;
    outcome = why;
  }

  constexpr void start(double norm_of_b, double norm_of_r) {
    norm = norm_of_r;
    limit = relative * norm_of_b > absolute ? relative * norm_of_b : absolute;
    if (norm_of_b == 0) {
      norm = 0;  // x becomes 0
      stop(solve_outcome::zero_right_hand_side);
    } else if (!is_finite(norm_of_b) || !is_finite(norm)) {
      stop(solve_outcome::not_a_number);
    } else if (norm <= limit) {
      stop(solve_outcome::converged);
    } else if (max_iterations == 0) {
      stop(solve_outcome::iteration_limit);
    }
  }
  constexpr void first_direction(double r_z) {
    if (stopped) return;
    check_preconditioner(r_z);
    rz = r_z;
  }

  constexpr void curvature(double p_Ap) {
    advance = false;
    active = !stopped;
    if (stopped) return;
    ++iteration;
    alpha = beta = 0;
    if (!is_finite(p_Ap)) return stop(solve_outcome::not_a_number);
    if (p_Ap <= 0) return stop(solve_outcome::indefinite_operator);
    alpha = rz / p_Ap;
    advance = true;
  }
  constexpr void residual(double norm_of_r) {
    if (!advance) return;
    if (!is_finite(norm_of_r)) {
      advance = false;
      return stop(solve_outcome::not_a_number);
    }
    norm = norm_of_r;
    if (norm <= limit)
      stop(solve_outcome::converged);
    else if (iteration >= max_iterations)
      stop(solve_outcome::iteration_limit);
  }
  /// q_z: q.z with q = A p, so that z.(r - r_before) = -alpha q.z.
  constexpr void direction(double r_z, double q_z) {
    if (stopped) return;
    check_preconditioner(r_z);
    if (stopped) return;
    beta = flexible ? -alpha * q_z / rz : r_z / rz;
    rz = r_z;
  }

 private:
  constexpr void check_preconditioner(double r_z) {
    if (!is_finite(r_z))
      stop(solve_outcome::not_a_number);
    else if (r_z <= 0)
      stop(solve_outcome::indefinite_preconditioner);
  }
};

}  // namespace tessera::detail
