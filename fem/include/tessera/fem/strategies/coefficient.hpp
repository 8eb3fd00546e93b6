// SPDX-License-Identifier: BSD-3-Clause
// A scalar coefficient of an operator: one number, a function of the coordinates, or values at the quadrature points.
#pragma once

#include <tessera/fem/mesh.hpp>
#include <tessera/plan.hpp>

#include <functional>
#include <variant>
#include <vector>

namespace tessera::fem {

/// Values are at [k + q e] for point k of element e.
using coefficient = std::variant<double, std::function<double(const point&)>, std::vector<double>>;

/// The coefficient at all points, [k + q e]. Throws if values are given, but not one per point.
std::vector<double> values_at_points(const coefficient& c, const mesh& domain, const quadrature_grid& grid,
                                     const plan_options& options = {});

}  // namespace tessera::fem
