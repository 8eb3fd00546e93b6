// SPDX-License-Identifier: BSD-3-Clause
// How fast a GPU computes the point function of a gas on numbers that stay in registers: a bound of corner forces.
#pragma once

#include <vector>

#include <tessera/hydro/gas_point.hpp>

namespace tessera::bench::device {

/// Points a second, of 2 or 3 dimensions: of the blocks that are fastest.
double point_function_rate(int dim, const hydro::gas_rules& rules);

/// Energies after so many points, one for each thread: what the loop computes.
std::vector<double> point_function_energies(int dim, const hydro::gas_rules& rules, int rounds, int threads);

}  // namespace tessera::bench::device
