// SPDX-License-Identifier: BSD-3-Clause
// What a problem starts from, in the library's terms.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

#include <vector>

#include "problems.hpp"
#include "zone_mesh.hpp"

namespace tessera::blast {

fem::gas_spaces make_spaces(const zone_mesh& mesh, const problem& which, const fem::gas_orders& of);

/// x, v and e at the start. `released`: the energy of the Sedov wave, in the part of space that the mesh is.
std::vector<double> initial_state(const zone_mesh& mesh, const fem::gas_spaces& in, const problem& which,
                                  double released);

}  // namespace tessera::blast
