// SPDX-License-Identifier: BSD-3-Clause
// Corner forces F, of which what is needed is F 1, the forces on the nodes, and F^T v, the power given to the gas: each
// in one pass over the zones, with nothing of the points in memory.
#pragma once

#include <functional>
#include <vector>

#include "spaces.hpp"

namespace tessera::blast {

/// What the points of all zones say about the step.
struct step_limit {
  double rate = 0;         ///< the highest one: CFL number / rate is the longest step; tangled_rate: a zone is tangled
  index_t zone = 0;        ///< of the highest rate,
  index_t point = 0;       ///< and its point
  double determinant = 0;  ///< there
};

class forces {
 public:
  /// `in` must stay.
  forces(const spaces& in, const problem& which);

  /// At the state: F 1, of the zones' nodes, summed to all nodes, and F^T w for a velocity w, with the power of the
  /// problem's source. Null: not wanted.
  step_limit evaluate(const double* state, double* on_nodes, const double* w, double* power) const;

  /// Energy in the gas and in its motion.
  double internal_energy(const double* state) const;
  double kinetic_energy(const double* state) const;
  /// Of the mass at the points in the problem's gravity.
  double potential_energy(const double* state) const;
  /// f(zone, what there is) at every point; zones are visited at the same time, the points of one in their order.
  struct at_point {
    vec x, v;
    double volume;  ///< quadrature weight times det J
    double density, energy;
  };
  void visit(const double* state, const std::function<void(index_t zone, const at_point&)>& f) const;
  /// The integral of f, summed in the order of zones.
  double integral(const double* state, const std::function<double(const at_point&)>& f) const;
  /// Per volume, as coefficients of the energy's functions: mass and functions' integrals agree in each zone.
  std::vector<double> density(const double* state) const;

 private:
  const spaces& in_;
  problem which_;
};

}  // namespace tessera::blast
