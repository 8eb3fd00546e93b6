// SPDX-License-Identifier: BSD-3-Clause
// How a gas that moves its mesh is discretised: velocity and position of order k (Gauss-Lobatto), energy of order l
// (Bernstein), points, and the gas at the points at the start, which its mass keeps for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/element/restriction.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/fem/grid.hpp>

namespace tessera::fem {

/// Gauss-Lobatto nodes of the zones at the start: (k + 1)^dim of each, first direction fastest.
struct gas_nodes {
  index_t count = 0;
  std::vector<std::int64_t> number{};  // of node i of zone z: [i + (k + 1)^dim z]
  std::vector<double> coordinates{};   // component c of node i: [i + count c]
  std::vector<index_t> walls{};        // i + count c where component c of the velocity of node i is 0
};

struct gas_orders {
  int velocity = 2, energy = 1;
  int rule = 0;  ///< order of quadrature; 0: 3 k + l - 1, at least 2 l
};

/// Of a zone and a place in it at the start.
using gas_function = std::function<double(index_t zone, const point&)>;
struct gas_material {
  gas_function density;
  gas_function gamma;  ///< one of a zone: at its middle
};

/// Tables of one direction at the points, column-major.
struct gas_line_tables {
  std::vector<double> B, G;
};

struct gas_spaces {
  int dim = 2, order = 2, energy_order = 1;
  int line_points = 0;  ///< of a direction: 2 k for an energy of order k - 1
  index_t zones = 0;
  index_t points = 0;      ///< of a zone
  index_t zone_nodes = 0;  ///< (k + 1)^dim
  index_t energies = 0;    ///< Bernstein coefficients of a zone, (l + 1)^dim
  gas_nodes nodes{};
  gas_line_tables velocity{}, energy{};
  std::vector<double> line_weights{}, weights{};  ///< of the points of a direction and of a zone

  std::vector<double> mass{};           ///< weight times density times det J: of point k of zone z at [k + points z]
  std::vector<double> exact_density{};  ///< the same by the density itself, which the mass matrices have
  /// Of the Jacobian at the start: [c][g] at [c + dim g + dim^2 (k + points z)], or, where all zones started as
  /// parallelepipeds, one a zone: at [c + dim g + dim^2 z].
  std::vector<double> start_inverse{};
  std::vector<double> gamma{};  ///< of a zone
  double length = 1;            ///< of a zone, per order: for the artificial viscosity
  double volume = 0;

  /// Numbers of a state: x and v, component after component, then e, zone after zone.
  index_t kinematic() const { return nodes.count * dim; }
  index_t thermodynamic() const { return energies * zones; }
  index_t state_size() const { return 2 * kinematic() + thermodynamic(); }
  const double* start_inverse_at(index_t zone, index_t k) const {
    const bool of_zones = index_t(start_inverse.size()) == zones * dim * dim;
    return start_inverse.data() + index_t(dim) * dim * (of_zones ? zone : k + points * zone);
  }
  /// Of vectors of the nodes, with walls as constrained numbers or without.
  restriction unknowns(int components, bool with_walls) const;
};

/// Throws for zones that are tangled at the start, sizes that do not fit, and rules with fewer points than functions in
/// a direction.
gas_spaces make_gas_spaces(int dim, const gas_nodes& nodes, const gas_material& material, const gas_orders& of);

/// Bernstein polynomials; of order 0, which only Gauss's basis has, they are the same.
basis gas_energy_basis(int order);
/// As one of the energy's functions: interpolated at Gauss points of its order.
std::vector<double> energy_coefficients(const gas_spaces& in, const gas_function& f);
/// Coefficients of the energy's functions as values at the Gauss-Lobatto nodes of `order`.
std::vector<double> energy_at_nodes(const gas_spaces& in, int order, const std::vector<double>& coefficients);

}  // namespace tessera::fem
