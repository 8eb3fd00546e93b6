// SPDX-License-Identifier: BSD-3-Clause
// dx/dt = v, M_V dv/dt = -F 1, M_E de/dt = F^T v: rates of a state, Runge-Kutta steps, and the length of steps.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "forces.hpp"
#include "masses.hpp"

namespace tessera::blast {

enum class method { euler, midpoint, ssp3, rk4, rk6, rk2_average };
/// By the numbers that they have on the command line: 1, 2, 3, 4, 6, 7; throws for others.
method method_of(int number);
std::string method_names();

/// Counts and times of the parts of all evaluations so far.
struct phases {
  double velocity_mass = 0, energy_mass = 0, forces = 0;  ///< seconds
  long evaluations = 0;                                   ///< of forces at the points of all zones
  long stages = 0;
};

class motion {
 public:
  /// What is referred to must stay.
  motion(const spaces& in, const problem& which, method how, const forces& by, masses& of);

  /// `state` at the end of a step of dt, from `from`.
  void advance(const double* from, double dt, double* state);

  /// The highest rate at points since `begin_step`, that of `state` included.
  ///
  /// What is evaluated here serves the first stage of the next step, too, which therefore has no part in the rate of
  /// that step, unless that is repeated: a rule of the reference code, without which numbers of steps differ.
  step_limit limit_at(const double* state);
  void begin_step() { highest_ = {}; }
  /// Nothing is known of the state of the next evaluation: after a step that is not kept.
  void forget() { known_ = false; }

  const phases& spent() const { return spent_; }

 private:
  void evaluate(const double* state, bool with_power);
  void rates(const double* state, double* rate);
  void acceleration(double* a);
  void energy_rate(double* power, double* de);
  void average_step(const double* from, double dt, double* state);

  const spaces& in_;
  problem which_;
  method how_;
  const forces& forces_;
  masses& masses_;
  phases spent_;
  step_limit highest_;
  bool known_ = false;      // on_nodes_ and power_ are those of the state that the next evaluation is for
  bool power_too_ = false;  // else only on_nodes_
  std::vector<double> on_nodes_, power_, work_;
  std::vector<std::vector<double>> rates_;
  std::vector<double> stage_;
};

}  // namespace tessera::blast
