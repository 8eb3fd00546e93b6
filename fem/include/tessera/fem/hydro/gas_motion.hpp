// SPDX-License-Identifier: BSD-3-Clause
// dx/dt = v, M_V dv/dt = -F 1 + M_V g, M_E de/dt = F^T v: rates of a state and Runge-Kutta steps, on a CPU or a GPU.
#pragma once

#include <memory>
#include <string>

#include <tessera/fem/hydro/gas_fields.hpp>
#include <tessera/fem/hydro/gas_masses.hpp>

namespace tessera::fem {

enum class gas_method { euler, midpoint, ssp3, rk4, rk6, rk2_average };
/// By the numbers that users know them by: 1, 2, 3, 4, 6, 7; throws for others.
gas_method gas_method_of(int number);
/// "1 Euler, 2 midpoint, ...".
std::string gas_method_names();

/// Counts and times of the parts of all evaluations so far.
struct gas_phases {
  double velocity_mass = 0, energy_mass = 0, forces = 0;  ///< seconds
  long evaluations = 0;                                   ///< of forces at the points of all zones
  long stages = 0;
};

/// States are in the space of the masses: x, v, then e.
class gas_motion {
 public:
  /// `in` and `of` must stay.
  gas_motion(const gas_spaces& in, const gas_physics& physics, gas_method how, gas_masses& of, space_kind space);
  ~gas_motion();
  gas_motion(const gas_motion&) = delete;
  gas_motion& operator=(const gas_motion&) = delete;

  /// `state` at the end of a step of dt, from `from`.
  void advance(const double* from, double dt, double* state);

  /// The highest rate at points since `begin_step`, that of `state` included.
  ///
  /// What is evaluated here serves the first stage of the next step, too, which therefore has no part in the rate of
  /// that step, unless that is repeated: a rule of the reference code, without which numbers of steps differ.
  highest_rate limit_at(const double* state);
  void begin_step();
  /// Nothing is known of the state of the next evaluation: after a step that is not kept.
  void forget();

  const gas_phases& spent() const;
  const corner_forces& forces() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tessera::fem
