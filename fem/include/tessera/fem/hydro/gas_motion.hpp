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

/// What the first stage of a step does about the forces of the state that it starts from.
enum class first_stage {
  evaluates,  ///< them, as other stages do
  /// It takes those of the latest `limit_at` or `limit_of_step`, which was of this state. Such a stage has no part in
  /// the limit of its step: a rule of the reference code, without which numbers of steps differ.
  is_evaluated
};

/// States are in the space of the masses: x, v, then e.
class gas_motion {
 public:
  /// `in` and `of` must stay.
  gas_motion(const gas_spaces& in, const gas_physics& physics, gas_method how, gas_masses& of, space_kind space);
  ~gas_motion();
  gas_motion(gas_spaces&&, const gas_physics&, gas_method, gas_masses&, space_kind) = delete;
  gas_motion(const gas_motion&) = delete;
  gas_motion& operator=(const gas_motion&) = delete;

  /// `state` at the end of a step of dt, from `from`; they do not overlap.
  void advance(const double* from, double dt, double* state, first_stage first = first_stage::evaluates);

  /// The highest rate at points of `state`: CFL number / rate is the longest step from there.
  highest_rate limit_at(const double* state);
  /// The highest rate at points of the stages of the latest `advance`, and of `state`, where it ended.
  highest_rate limit_of_step(const double* state);

  const gas_phases& spent() const;
  const corner_forces& forces() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tessera::fem
