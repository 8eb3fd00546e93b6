// SPDX-License-Identifier: BSD-3-Clause
// What a problem starts from, in the library's terms.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

#include <vector>

#include "materials.hpp"
#include "problems.hpp"
#include "zone_mesh.hpp"

namespace tessera::blast {

/// Zones whose attribute has a material have its density and gamma.
fem::gas_spaces make_spaces(const zone_mesh& mesh, const problem& which, const std::vector<zone_material>& materials,
                            const fem::gas_orders& of);

/// x, v and e at the start; e of materials, where there are. `released`: the energy of the Sedov wave, in the part of
/// space that the mesh is, beside that of materials.
std::vector<double> initial_state(const zone_mesh& mesh, const fem::gas_spaces& in, const problem& which,
                                  const std::vector<zone_material>& materials, double released);

}  // namespace tessera::blast
