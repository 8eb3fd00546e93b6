// SPDX-License-Identifier: BSD-3-Clause
// The density as a function of the energy's order in each zone, at nodes: as fem::gas_density, without a matrix.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

#include <vector>

namespace tessera::blast {

/// Mass matrices of zones change with the mesh, so that their factors cannot be kept. In the basis of Lagrange
/// polynomials of Gauss points they are nearly diagonal, and a few iterations solve for all zones at once.
class density_projection {
 public:
  /// `in` must stay.
  explicit density_projection(const fem::gas_spaces& in);

  /// Of a state in host memory. Whether it converged, to ten digits at least: a few iterations suffice unless zones are
  /// nearly tangled. Throws where they are tangled.
  bool project(const double* state, int most_iterations = 500);
  /// At the Gauss-Lobatto nodes of that order of each zone, first direction fastest.
  std::vector<double> at_nodes(int order) const;

 private:
  const fem::gas_spaces& in_;
  std::vector<double> mass_, density_;  // integrals with the functions, which stay; values at Gauss points
};

}  // namespace tessera::blast
