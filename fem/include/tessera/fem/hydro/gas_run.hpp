// SPDX-License-Identifier: BSD-3-Clause
// A gas from its start to a final time, in steps of a length that is controlled; on a CPU or a GPU.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <tessera/fem/hydro/gas_motion.hpp>
#include <tessera/memory.hpp>
#include <tessera/solver/vector_sums.hpp>

namespace tessera::fem {

struct gas_run_options {
  gas_method method = gas_method::rk4;
  double final_time = 0.6;
  double cfl = 0.5;  ///< length of steps over what a point allows
  /// A step that would have to be shorter ends the run; so does one that no longer changes the time.
  double shortest_step = 2.22e-16;
  gas_mass_options masses{};
  space_kind space = space_kind::cpu;
};

/// A step that got too short. What stands is the state before it.
struct gas_step_crashed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All that a run needs to go on as if it had not ended.
struct gas_run_state {
  long steps = 0, repeats = 0;
  double time = 0, dt = 0;
  std::vector<double> numbers{};  ///< x, v, e
};

class gas_run {
 public:
  /// `in` must stay. `start`: x, v, 0 at walls, and e, in host memory. Throws where nothing will happen, and names a
  /// zone that is tangled or has no numbers.
  gas_run(const gas_spaces& in, const gas_physics& physics, const std::vector<double>& start,
          const gas_run_options& options);
  gas_run(gas_spaces&&, const gas_physics&, const std::vector<double>&, const gas_run_options&) = delete;

  bool finished() const { return finished_; }
  /// One step, repeated with 0.85 of its length until the length is one that the points allow and solves have
  /// numbers. Throws gas_step_crashed where the length falls below the shortest or no longer changes the time, and
  /// throws after the final time. Whatever it throws, the run is what it was before the step. Solves that end with
  /// their limit on iterations are counted, `gas_masses::failures`.
  void step();

  long steps() const { return steps_; }
  long repeats() const { return repeats_; }
  double time() const { return time_; }
  /// Of the latest step.
  double last_dt() const { return last_dt_; }
  /// Of the next step. After the last one, which ends at the final time, what it would be after one of its length.
  double next_dt() const { return printed_dt_; }
  /// sqrt of the sum of the squares of all coefficients of e, which codes are compared by.
  double energy_norm() const;

  const gas_spaces& in() const { return in_; }
  const gas_physics& physics() const { return physics_; }
  const gas_masses& masses() const { return masses_; }
  const gas_motion& motion() const { return motion_; }
  space_kind space() const { return options_.space; }
  /// In the space of the run: x, v, e.
  const double* state() const { return at(state_); }
  std::vector<double> state_on_host() const;

  /// After the last step a run goes on with the length that the step would have had.
  gas_run_state kept() const;
  /// Throws where the number of numbers differs, where the time is not before the final time, where something moves
  /// through a wall, and names a zone that is tangled or has no numbers; the run is then what it was.
  void go_on_from(const gas_run_state& kept);

 private:
  static double* at(const buffer& of) { return static_cast<double*>(of.data()); }
  highest_rate tried_start(const std::vector<double>& numbers);
  highest_rate tried_step(double dt);
  index_t zone_that_limits(const std::vector<double>& numbers, index_t first) const;
  [[noreturn]] void refuse_step(const highest_rate& limit) const;

  const gas_spaces& in_;
  gas_physics physics_;
  gas_run_options options_;
  gas_masses masses_;
  gas_motion motion_;
  buffer state_, tried_;  // the latter of the step that is being made
  inner_product dot_;
  double time_ = 0, dt_ = 0, printed_dt_ = 0, last_dt_ = 0;
  long steps_ = 0, repeats_ = 0;
  bool finished_ = false;
  bool is_evaluated_ = false;  // what motion_ has last evaluated is state_
};

}  // namespace tessera::fem
