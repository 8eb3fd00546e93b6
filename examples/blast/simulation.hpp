// SPDX-License-Identifier: BSD-3-Clause
// A run of a problem: its mesh and its gas, what is conserved, checkpoints.
#pragma once

#include <tessera/fem/hydro/gas_run.hpp>

#include <string>
#include <vector>

#include "materials.hpp"
#include "problems.hpp"
#include "zone_mesh.hpp"

namespace tessera::blast {

/// What decides the results of a run.
struct settings {
  int problem_number = 1;
  int dim = 0;         ///< 0: that of the mesh's file, or 2
  std::string mesh{};  ///< a file; empty: the problem's own
  int refinements = 2;
  std::vector<zone_material> materials{};  ///< zones without one have the problem's gas
  fem::gas_orders order{.velocity = 2, .energy = 1};
  int method_number = 4;
  double final_time = 0.6;
  double cfl = 0.5;
  double released = 1;  ///< Sedov's energy in all of space; the mesh has the 2^dim-th part
  fem::gas_mass_options solver{};
  space_kind space = space_kind::cpu;
};

/// After a step.
struct record {
  long step = 0;
  double time = 0, dt = 0;
  double internal = 0, kinetic = 0, potential = 0;  ///< energies; the last of the problem's gravity
  vec momentum{};

  double total() const { return internal + kinetic + potential; }
};

class simulation {
 public:
  /// Throws for settings that do not fit together.
  explicit simulation(const settings& given);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  bool finished() const { return run_.finished(); }
  /// As fem::gas_run::step, and a line of the history.
  void step();

  const fem::gas_run& run() const { return run_; }
  long steps() const { return run_.steps(); }
  double time() const { return run_.time(); }
  double next_dt() const { return run_.next_dt(); }
  double energy_norm() const { return run_.energy_norm(); }
  const std::vector<record>& history() const { return history_; }

  const settings& given() const { return given_; }
  const problem& which() const { return which_; }
  const zone_mesh& mesh() const { return mesh_; }
  const fem::gas_spaces& in() const { return in_; }
  std::vector<double> state() const { return run_.state_on_host(); }

  /// All that a run needs to go on as if it had not ended, by way of a second file, so that none is ever lost. Throws
  /// if it cannot be written. After the last step it goes on with the length that the step would have had.
  void save(const std::string& file) const;
  /// Throws where the file is none of a run with these settings (final time and CFL number may be others), saying what
  /// differs, or is not whole, or is not before the final time.
  void load(const std::string& file);

 private:
  void record_now(double dt);

  zone_mesh mesh_;
  settings given_;
  problem which_;
  fem::gas_spaces in_;
  fem::gas_run run_;
  std::string identity_;  // of checkpoints
  std::vector<record> history_;
};

}  // namespace tessera::blast
