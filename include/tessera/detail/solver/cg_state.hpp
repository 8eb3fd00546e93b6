// SPDX-License-Identifier: BSD-3-Clause
// The numbers of conjugate gradients, and what they decide: the same code on a CPU and in a kernel.
#pragma once

#include <tessera/solver/solve_result.hpp>

namespace tessera::detail {

constexpr int most_systems = 8;  // that are solved at once

constexpr bool is_finite(double x) { return x - x == 0; }

/// Of one system. An iteration calls, in this order, curvature, residual and direction. After `stop` they do nothing.
/// The norm is known in `residual`, sqrt(r.r), or, if `preconditioned`, in `direction`, sqrt(r.Mr).
struct cg_state {
  // As given.
  double relative = 0, absolute = 0;
  int max_iterations = 0;
  bool flexible = false, preconditioned = false;

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
    set_limit(norm_of_b);
    if (norm_of_b == 0) {
      norm = 0;  // x becomes 0
      stop(solve_outcome::zero_right_hand_side);
    } else if (!is_finite(norm_of_b) || !is_finite(norm)) {
      stop(solve_outcome::not_a_number);
    } else if (!preconditioned) {
      check_norm();
    }
  }
  /// root: sqrt(r_z).
  constexpr void first_direction(double r_z, double root) {
    if (stopped) return;
    if (preconditioned) {
      norm = root;
      set_limit(root);
    }
    check_preconditioner(r_z);
    if (preconditioned && !stopped) check_norm();
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
    if (preconditioned) return;
    norm = norm_of_r;
    check_norm();
  }
  /// root: sqrt(r_z); q_z: q.z with q = A p, so that z.(r - r_before) = -alpha q.z.
  constexpr void direction(double r_z, double root, double q_z) {
    if (stopped) return;
    check_preconditioner(r_z);
    if (preconditioned) {
      advance = !stopped;  // else this iteration has no norm
      if (stopped) return;
      norm = root;
      check_norm();
    }
    if (stopped) return;
    beta = flexible ? -alpha * q_z / rz : r_z / rz;
    rz = r_z;
  }

 private:
  constexpr void set_limit(double norm_at_start) {
    limit = relative * norm_at_start > absolute ? relative * norm_at_start : absolute;
  }
  constexpr void check_norm() {
    if (norm <= limit)
      stop(solve_outcome::converged);
    else if (iteration >= max_iterations)
      stop(solve_outcome::iteration_limit);
  }
  // r.Mr = 0 is small enough where it is the norm.
  constexpr void check_preconditioner(double r_z) {
    if (!is_finite(r_z))
      stop(solve_outcome::not_a_number);
    else if (r_z < 0 || (r_z == 0 && !preconditioned))
      stop(solve_outcome::indefinite_preconditioner);
  }
};

}  // namespace tessera::detail
