// SPDX-License-Identifier: BSD-3-Clause
// What a run's state is at the nodes of its zones, for files: computed once where several files show it.
#pragma once

#include <optional>
#include <vector>

#include "density_projection.hpp"
#include "simulation.hpp"

namespace tessera::blast {

/// Conventional E-vectors.
class fields {
 public:
  /// `of` must stay.
  explicit fields(const simulation& of) : of_(of) {}

  const simulation& of() const { return of_; }
  /// In host memory, as it is now.
  const std::vector<double>& state();
  std::vector<double> places() { return in_zones(state().data()); }
  std::vector<double> velocity() { return in_zones(state().data() + of_.in().kinematic()); }
  /// At the Gauss-Lobatto nodes of that order of each zone.
  std::vector<double> energy(int order);
  std::vector<double> density(int order);  ///< says so on stderr where its projection does not converge

 private:
  std::vector<double> in_zones(const double* field) const;

  const simulation& of_;
  std::optional<density_projection> density_{};  // made where the density is wanted
  std::vector<double> state_{};
  long step_ = -1, projected_ = -1;  // of which state and density are
};

}  // namespace tessera::blast
