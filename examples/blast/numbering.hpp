// SPDX-License-Identifier: BSD-3-Clause
// The nodes of continuous functions of any order on a mesh: one number for each, places, and what is fixed at walls.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

#include "zone_mesh.hpp"

namespace tessera::blast {

/// Gauss-Lobatto nodes, those of a zone in order of an element's, first direction fastest. Throws for sides with an
/// attribute that is no component.
fem::gas_nodes number_nodes(const zone_mesh& mesh, int order);

}  // namespace tessera::blast
