// SPDX-License-Identifier: BSD-3-Clause
// A run: steps of a length that is controlled, what is conserved, checkpoints.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "motion.hpp"

namespace tessera::blast {

/// What decides the results of a run.
struct settings {
  int problem_number = 1;
  int dim = 0;         ///< 0: that of the mesh's file, or 2
  std::string mesh{};  ///< a file; empty: the problem's own
  int refinements = 2;
  orders order{.velocity = 2, .energy = 1};
  int method_number = 4;
  double final_time = 0.6;
  double cfl = 0.5;
  double released = 1;  ///< Sedov's energy in all of space; the mesh has the 2^dim-th part
  solver_options solver{};
};

/// After a step.
struct record {
  long step = 0;
  double time = 0, dt = 0;
  double internal = 0, kinetic = 0, potential = 0;  ///< energies; the last of the problem's gravity
  vec momentum{};

  double total() const { return internal + kinetic + potential; }
};

/// A step that got too short. What stands is the state before it.
struct step_crashed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class simulation {
 public:
  /// Throws for settings that do not fit together.
  explicit simulation(const settings& given);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  bool finished() const { return finished_; }
  /// One step, repeated with 0.85 of its length until the length is one that the points allow. Throws step_crashed
  /// where the length falls below 2.2e-16, and is as before the step then.
  void step();

  long steps() const { return step_; }
  long repeats() const { return repeats_; }
  double time() const { return time_; }
  /// Of the next step. After the last one, which ends at the final time, what it would be after one of its length.
  double next_dt() const { return printed_dt_; }
  /// sqrt of the sum of the squares of all coefficients of e, which codes are compared by.
  double energy_norm() const;
  const std::vector<record>& history() const { return history_; }

  const settings& given() const { return given_; }
  const problem& which() const { return which_; }
  const zone_mesh& mesh() const { return mesh_; }
  const spaces& in() const { return in_; }
  const forces& passes() const { return forces_; }
  const masses& solved() const { return masses_; }
  const motion& moved() const { return motion_; }
  const double* state() const { return state_.data(); }

  /// All that a run needs to go on as if it had not ended, by way of a second file, so that none is ever lost. Throws
  /// if it cannot be written. After the last step it goes on with the length that the step would have had.
  void save(const std::string& file) const;
  /// Throws where the file is none of a run with these settings (final time and CFL number may be others), or is not
  /// whole, or is not before the final time.
  void load(const std::string& file);

 private:
  void record_now(double dt);

  zone_mesh mesh_;
  settings given_;
  problem which_;
  spaces in_;
  forces forces_;
  masses masses_;
  motion motion_;
  std::vector<double> state_, before_;
  double time_ = 0, dt_ = 0, printed_dt_ = 0;
  long step_ = 0, repeats_ = 0;
  bool finished_ = false;
  std::vector<record> history_;
};

}  // namespace tessera::blast
