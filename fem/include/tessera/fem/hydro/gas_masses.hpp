// SPDX-License-Identifier: BSD-3-Clause
// The mass matrices of a gas, which stay what they are: M_V a = b by conjugate gradients, M_E de = r zone by zone; and
// what they say of a state. Vectors are in the space of the masses.
#pragma once

#include <memory>
#include <string>

#include <tessera/fem/hydro/gas_fields.hpp>
#include <tessera/fem/hydro/gas_spaces.hpp>

namespace tessera::fem {

/// How M_E de = r is solved.
enum class energy_solver {
  exact,               ///< by Cholesky's factors of each zone; of more than 128 energies by preconditioned iterations
  conjugate_gradients  ///< over all zones, without preconditioner, as the reference code does
};

struct gas_mass_options {
  double tolerance = 1e-8;  ///< fall of sqrt(r.B r), B the preconditioner
  int most_iterations = 300;
  energy_solver energy = energy_solver::exact;
};

class gas_masses {
 public:
  /// `in` must stay.
  gas_masses(const gas_spaces& in, const gas_mass_options& options, space_kind space);
  ~gas_masses();
  gas_masses(gas_spaces&&, const gas_mass_options&, space_kind) = delete;
  gas_masses(const gas_masses&) = delete;
  gas_masses& operator=(const gas_masses&) = delete;

  /// a with M_V a = b for each component on its own, all at once; a is 0 at walls.
  void solve_velocity(const double* b, double* a);
  /// de with M_E de = r; de and r do not overlap.
  void solve_energy(const double* r, double* de);

  /// M_V 1 of a component: the share of the mass that each node has. In host memory.
  const std::vector<double>& node_masses() const;
  double internal_energy(const double* e) const;
  double kinetic_energy(const double* v) const;
  /// Of component c.
  double momentum(const double* v, int c) const;
  /// Of the mass at the points, as for the other energies, in the field of gravity.
  double potential_energy(const double* x, const point& gravity) const;

  /// "Cholesky factors of 64 matrices of 8 rows" or "conjugate gradients".
  std::string describe_energy_solver() const;
  /// Iterations so far, summed over the components.
  long velocity_iterations() const;
  /// Solves that ended with the limit on iterations or without a number.
  long failures() const;
  /// Of these the ones that met NaN or infinity.
  long without_numbers() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tessera::fem
