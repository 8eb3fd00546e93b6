// SPDX-License-Identifier: BSD-3-Clause
// The phases of a step of a gas as a case: their runs, what they leave, and the checks of that.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/fem/hydro/gas_motion.hpp>
#include <tessera/memory.hpp>

#include "hydro/gas_box.hpp"
#include "reference.hpp"

namespace tessera::bench {

enum class gas_phase {
  forces,    ///< points, F 1, F^T v and the rates of zones, in one call
  power,     ///< points and F^T w of another velocity w
  velocity,  ///< M_V a = b, all components at once
  energy,    ///< M_E de = r
  step       ///< of RK4, always from the same state
};
inline constexpr gas_phase gas_phases_of_a_step[] = {gas_phase::forces, gas_phase::power, gas_phase::velocity,
                                                     gas_phase::energy, gas_phase::step};
const char* name_of(gas_phase phase);

class gas_case {
 public:
  gas_case(const gas_sizes& sizes, space_kind space);

  const gas_sizes& sizes() const { return sizes_; }
  space_kind space() const { return space_; }

  /// On a GPU it queues its work in stream 0, or waits for it, as the library does.
  void run(gas_phase phase);

  /// What the last run has written: forces, power and rates; power; a; de; x, v and e.
  std::vector<double> found(gas_phase phase) const;
  /// Of such numbers.
  verdict check(gas_phase phase, const std::vector<double>& numbers) const;
  verdict check(gas_phase phase) const { return check(phase, found(phase)); }

  /// Of all components together, of the last run of the phase velocity.
  long iterations() const { return iterations_; }
  /// Since the start, steps included.
  long all_iterations() const { return masses_.velocity_iterations(); }
  /// Whether M_E is solved by its factors.
  bool has_factors() const { return box_.in.energies <= 128; }
  const fem::gas_phases& spent() const { return motion_.spent(); }

  std::string describe(gas_phase phase) const;

 private:
  buffer brought(const std::vector<double>& from) const;
  buffer vector(index_t n) const { return {space_, std::size_t(n) * sizeof(double)}; }
  static double* at(const buffer& of) { return static_cast<double*>(of.data()); }
  force_call call_at(const double* state) const;
  const buffer& results_of(gas_phase phase) const;
  void run_forces(bool forces) const;

  verdict check_zones(const double* forces, const double* power, const double* rates) const;
  double difference_from_host(gas_phase phase, const std::vector<double>& numbers) const;
  verdict check_velocity(const std::vector<double>& a) const;
  verdict check_energy(const std::vector<double>& de) const;
  std::vector<double> step_by_phases() const;

  gas_sizes sizes_;
  space_kind space_;
  gas_box box_;
  mutable fem::gas_masses masses_;
  fem::gas_motion motion_;
  buffer state_, other_, load_, sources_;
  buffer forces_, power_, acceleration_, energy_rate_, stepped_;  // results
  double dt_ = 0;
  long iterations_ = 0;
};

}  // namespace tessera::bench
