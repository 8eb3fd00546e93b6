// SPDX-License-Identifier: BSD-3-Clause
// The mass matrices, which stay what they are: M_V a = b by conjugate gradients, M_E de = r zone by zone.
#pragma once

#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/global_operator.hpp>

#include <vector>

#include "spaces.hpp"

namespace tessera::blast {

/// How M_E de = r is solved.
enum class energy_solver {
  cholesky,            ///< of each zone, factored once: exact
  conjugate_gradients  ///< over all zones, without preconditioner
};

struct solver_options {
  double tolerance = 1e-8;  ///< fall of sqrt(r.B r), B the preconditioner
  int most_iterations = 300;
  energy_solver energy = energy_solver::cholesky;
};

class masses {
 public:
  /// `in` must stay.
  masses(const spaces& in, const solver_options& options);

  /// a with M_V a = b for each component on its own, a and b 0 at walls. Overwrites b.
  void solve_velocity(double* b, double* a);
  /// de with M_E de = r. Overwrites r.
  void solve_energy(double* r, double* de);

  /// M_V 1 of a component: the share of the mass that each node has.
  const std::vector<double>& node_masses() const { return node_masses_; }
  /// Iterations so far, summed over the components.
  long velocity_iterations() const { return velocity_iterations_; }
  /// Solves that ended with the limit on iterations or without a number.
  long failures() const { return failures_; }

 private:
  const spaces& in_;
  solver_options options_;
  restriction numbers_;
  fem::global_operator<double> velocity_;
  std::vector<double> node_masses_, diagonal_;
  std::vector<double> p_, z_, Ap_;
  fem::element_operator<double> energy_;
  std::vector<std::vector<double>> factors_;  // of the zones
  long velocity_iterations_ = 0, failures_ = 0;
};

}  // namespace tessera::blast
