// SPDX-License-Identifier: BSD-3-Clause
// Geometry at quadrature points: coordinates, Jacobian determinants, the volume.
#pragma once

#include <tessera/fem/mesh.hpp>
#include <tessera/plan.hpp>

#include <vector>

namespace tessera::fem {

/// Coordinate c of point k of element e: [k + q (c + dim e)], q = grid.size().
std::vector<double> coordinates_at_points(const mesh& domain, const quadrature_grid& grid,
                                          const plan_options& options = {});

/// det J at point k of element e: [k + q e], J being the derivative of the map from the unit square or cube to the
/// element. Throws naming element and point where it is not positive: the element is inverted there.
std::vector<double> jacobian_determinants(const mesh& domain, const quadrature_grid& grid,
                                          const plan_options& options = {});

/// Sum of weight times determinant over all points of all elements.
double volume(const mesh& domain, const quadrature_grid& grid);

}  // namespace tessera::fem
