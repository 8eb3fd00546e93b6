// SPDX-License-Identifier: BSD-3-Clause
// Discretisation: velocity and position of order k (Gauss-Lobatto), energy of order l (Bernstein), points, and the gas
// at the points at the start, which its mass keeps for ever.
#pragma once

#include <tessera/fem/basis.hpp>

#include <string>
#include <vector>

#include "gas_point.hpp"
#include "numbering.hpp"
#include "problems.hpp"

namespace tessera::blast {

/// Tables of one direction at the points, column-major.
struct line_tables {
  int functions = 0;
  std::vector<double> B, G;
};

struct spaces {
  int dim = 2, order = 2, energy_order = 1;
  int line_points = 0;  ///< of a direction: 2 k for an energy of order k - 1
  index_t zones = 0;
  index_t points = 0;    ///< of a zone
  index_t energies = 0;  ///< Bernstein coefficients of a zone, (l + 1)^dim
  numbered_nodes nodes{};
  line_tables velocity{}, energy{};
  std::vector<double> weights{};  ///< of the points of a zone

  std::vector<double> mass{};           ///< weight times density times det J: of point k of zone z at [k + points z]
  std::vector<double> exact_density{};  ///< the same by the density itself, which the mass matrices have
  std::vector<double> start_inverse{};  ///< of the Jacobian: [c][g] at [c + dim g + dim^2 (k + points z)]
  std::vector<double> gamma{};          ///< of a zone
  double length = 1;                    ///< of a zone, per order: for the artificial viscosity
  double volume = 0;

  /// Numbers of a state: x and v, component after component, then e, zone after zone.
  index_t kinematic() const { return nodes.count * dim; }
  index_t thermodynamic() const { return energies * zones; }
  index_t state_size() const { return 2 * kinematic() + thermodynamic(); }
};

struct orders {
  int velocity = 2, energy = 1;
  int rule = 0;  ///< order of quadrature; 0: 3 k + l - 1, at least 2 l
};
/// Throws for zones that are tangled at the start, and for rules with fewer points than functions in a direction.
spaces make_spaces(const zone_mesh& mesh, const problem& which, const orders& of);

/// Bernstein polynomials; of order 0, which only Gauss's basis has, they are the same.
fem::basis energy_basis(int order);
/// The mass matrix of a zone's energies for factors D at its points, column-major.
std::vector<double> energy_matrix(const spaces& in, const double* D);

/// x, v and e at the start. `released`: the energy of the Sedov wave, in the part of space that the mesh is.
std::vector<double> initial_state(const zone_mesh& mesh, const spaces& in, const problem& which, double released);

}  // namespace tessera::blast
