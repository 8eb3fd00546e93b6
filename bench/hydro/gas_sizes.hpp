// SPDX-License-Identifier: BSD-3-Clause
// The sizes of a box of moving zones, and what the phases of a step move and compute.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::bench {

/// Position and velocity of order k, the energy of order k - 1, 2 k points: n nodes, m energies and q points a
/// direction of a zone.
struct gas_sizes {
  int dim = 3, order = 2;
  index_t cells = 1;        // of a direction of the box
  bool bent_start = false;  // zones start curved, so that each point has a Jacobian of its own

  index_t n() const { return order + 1; }
  index_t m() const { return order; }
  index_t q() const { return 2 * order; }
  index_t power(index_t base) const { return dim == 3 ? base * base * base : base * base; }
  index_t zone_nodes() const { return power(n()); }
  index_t zone_energies() const { return power(m()); }
  index_t zone_points() const { return power(q()); }

  index_t zones() const { return power(cells); }
  index_t points() const { return zones() * zone_points(); }
  index_t nodes() const { return power(order * cells + 1); }  // each once
  index_t kinematic() const { return nodes() * dim; }         // numbers of x, and of v
  index_t thermodynamic() const { return zones() * zone_energies(); }

  /// By sum factorisation without use of symmetry, in all zones.
  double gradient_flops() const;  // of one field of the nodes to its derivatives at the points, or the sums back
  double value_flops() const;     // of the energy to its values at the points, or the sums back
  /// x, v and e to the points, forces and power back; or x, v, another velocity and e to the points, power back.
  double contraction_flops() const { return 3 * dim * gradient_flops() + 2 * value_flops(); }
  double velocity_mass_flops() const;  // of one application to all components
  double energy_solve_flops() const;   // by the factors

  /// Numbers of nodes, with 32 bits.
  double list_bytes() const { return 4.0 * double(zones() * zone_nodes()); }
  /// What zones keep: density times det J, the inverse Jacobian of the start, gamma.
  double kept_bytes() const;
  double state_bytes() const { return 8.0 * double(2 * kinematic() + thermodynamic()); }
  /// x, v and e, or also another velocity.
  double read_bytes(bool other) const { return state_bytes() + (other ? 8.0 * double(kinematic()) : 0); }
  /// Power, and with forces these and the rates of zones.
  double written_bytes(bool forces) const;
  /// The mass at the points.
  double mass_bytes() const { return 8.0 * double(points()); }
  double vector_bytes() const { return 8.0 * double(kinematic()); }
  /// Triangles of the factors.
  double factor_bytes() const { return 4.0 * double(thermodynamic() * (zone_energies() + 1)); }
  double energy_bytes() const { return 8.0 * double(thermodynamic()); }
  /// The sums of vectors in a step of RK4 with 4 slopes.
  double step_sum_bytes() const;
};

/// The box whose number of points is nearest to that.
gas_sizes gas_sizes_for(int dim, int order, double points, bool bent_start);

}  // namespace tessera::bench
